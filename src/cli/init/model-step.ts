import { localModelName } from "../../embedding/choice.ts";
import { runtimeProblem } from "../../embedding/local/platform.ts";
import { findModel } from "../../embedding/models/folder.ts";
import { modelHostIn, type PinnedModel, pinnedModel } from "../../embedding/models/pinned.ts";
import { callSignal } from "../../net/call-signal.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import type { CommandContext } from "../command.ts";
import { installModel, modelSizeBytes } from "../models/install-model.ts";
import { shownBytes } from "../render/quantity.ts";
import type { Questions } from "./questions.ts";

const probeTimeoutMs = 5_000;
const meanwhile = "until then search works by words and relations";
const later = `later: memsvc models pull, or memsvc models pull --from <folder> without a network; ${meanwhile}`;

/** The state of semantic search after the set-up, with one sentence about it. */
interface ModelOutcome {
  readonly state: "installed" | "not needed" | "not wanted" | "no network" | "failed";
  readonly said: string;
}

/** Whether there is an embedding model to download, or how things stand without. */
type ModelPlan =
  | { readonly kind: "download"; readonly model: PinnedModel }
  | { readonly kind: "settled"; readonly outcome: ModelOutcome };

/** Plans a download if the embedding model that the settings name is missing and can be downloaded. */
export function planModel({ configuration }: Pick<CommandContext, "configuration">): ModelPlan {
  const { home, settings } = configuration();
  const name = localModelName(settings);
  const model = name === undefined ? undefined : pinnedModel(name);
  if (model === undefined) return settled("not needed", `vectors come from ${settings.embeddingProvider}`);
  if (findModel(home, model.name) !== undefined)
    return settled("installed", `the embedding model ${model.name} is installed`);
  const problem = runtimeProblem();
  if (problem !== undefined) return settled("not needed", problem);
  if (settings.modelDownload === "never")
    return settled("not wanted", `MEMSVC_MODEL_DOWNLOAD=never: no embedding model is downloaded; ${later}`);
  return { kind: "download", model };
}

function settled(state: ModelOutcome["state"], said: string): ModelPlan {
  return { kind: "settled", outcome: { state, said } };
}

/** Downloads the embedding model that the settings name, if it is missing and wanted. */
export async function offerModel(
  context: Pick<CommandContext, "terminal" | "globals" | "configuration">,
  questions: Questions,
): Promise<ModelOutcome> {
  const plan = planModel(context);
  if (plan.kind === "settled") return plan.outcome;
  const { model } = plan;
  const question = `Download the embedding model ${model.name} (${shownBytes(modelSizeBytes(model))}) for search by meaning?`;
  if (!(await questions.confirm(question, true)))
    return { state: "not wanted", said: `no embedding model is downloaded; ${later}` };
  const host = modelHostIn(context.configuration().settings);
  if (!(await isReachable(host)))
    return {
      state: "no network",
      said: `there is no network: ${new URL(host).host} cannot be reached; ${later}`,
    };
  try {
    await installModel(context, model);
    return { state: "installed", said: `the embedding model ${model.name} is installed` };
  } catch (error) {
    if (!isMemsvcError(error)) throw error;
    return { state: "failed", said: `${error.message}; ${later}` };
  }
}

/** Whether a server answers at all, whatever its answer. */
async function isReachable(host: string): Promise<boolean> {
  const { signal, release } = callSignal(probeTimeoutMs);
  try {
    await fetch(host, { method: "HEAD", redirect: "manual", signal });
    return true;
  } catch {
    // Unknown name, no route or a timeout: nothing can be downloaded.
    return false;
  } finally {
    release();
  }
}

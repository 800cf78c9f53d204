import type { Settings } from "../../config/load.ts";
import type { Log } from "../../ground.ts";
import { messageOf } from "../../operation/errors.ts";
import { localModelName } from "../choice.ts";
import { runtimeProblem } from "../local/platform.ts";
import { downloadModel } from "./download.ts";
import { findModel } from "./folder.ts";
import { modelHost, pinnedModel } from "./pinned.ts";

/**
 * Fetches the local model's files once, in the background of the daemon, with one line in the log. Returns why they
 * are still missing; undefined when they are there or are not to be fetched. It is not tried again before the next
 * start.
 */
export async function fetchMissingModel(
  home: string,
  settings: Settings,
  log: Log,
  signal: AbortSignal,
): Promise<string | undefined> {
  const name = localModelName(settings);
  const model = name === undefined ? undefined : pinnedModel(name);
  if (model === undefined || settings.modelDownload === "never") return undefined;
  if (runtimeProblem() !== undefined || findModel(home, model.name) !== undefined) return undefined;
  const startedAt = performance.now();
  try {
    const host = settings.modelHost ?? modelHost;
    const folder = await downloadModel(home, model, { host: host.replace(/\/+$/u, ""), signal });
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    log("info", "fetched the embedding model", { model: model.name, folder, seconds });
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    const reason = messageOf(error);
    log("warn", `searching by keyword only: the embedding model ${model.name} is missing, and ${reason}`);
    return `the embedding model ${model.name} could not be fetched (memsvc models pull): ${reason}`;
  }
}

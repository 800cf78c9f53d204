import { downloadModel } from "../embedding/models/download.ts";
import { modelHost, type PinnedModel } from "../embedding/models/pinned.ts";
import type { CommandContext } from "./command.ts";
import { openProgress } from "./terminal/progress.ts";

/** Fetches an embedding model from where the settings say and installs it; returns its folder. Errors: those of downloadModel. */
export async function fetchModel(
  context: Pick<CommandContext, "terminal" | "globals" | "configuration">,
  model: PinnedModel,
): Promise<string> {
  const { home } = context.configuration();
  const host = modelHostOf(context);
  const label = `${model.name} from ${new URL(host).host}`;
  const progress = openProgress(context, label, bytesOf(model), () => `${model.name} is not installed`);
  try {
    return await downloadModel(home, model, { host, progress: progress.at });
  } finally {
    progress.end();
  }
}

/** Where models are fetched from. */
export function modelHostOf({ configuration }: Pick<CommandContext, "configuration">): string {
  return (configuration().settings.modelHost ?? modelHost).replace(/\/+$/u, "");
}

export function bytesOf({ files }: PinnedModel): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

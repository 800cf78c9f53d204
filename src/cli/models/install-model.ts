import { downloadModel } from "../../embedding/models/download.ts";
import { modelHostIn, type PinnedModel } from "../../embedding/models/pinned.ts";
import type { CommandContext } from "../command.ts";
import { shownDuration } from "../render/quantity.ts";
import { openProgress } from "../terminal/progress.ts";

/** Downloads an embedding model and installs it; returns its folder. Errors: those of downloadModel. */
export async function installModel(
  context: Pick<CommandContext, "terminal" | "globals" | "configuration">,
  model: PinnedModel,
): Promise<string> {
  const { home, settings } = context.configuration();
  const host = modelHostIn(settings);
  const hostName = new URL(host).host;
  const label = `${model.name} from ${hostName}`;
  const progress = openProgress(
    context,
    label,
    modelSizeBytes(model),
    () => `${model.name} is not installed`,
  );
  const waiting = (waitMs: number) =>
    progress.say(`${hostName} asks to wait ${shownDuration(Math.ceil(waitMs / 1_000))}; then it goes on`);
  try {
    return await downloadModel(home, model, { host, progress: progress.at, waiting });
  } finally {
    progress.end();
  }
}

export function modelSizeBytes({ files }: PinnedModel): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

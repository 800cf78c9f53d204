import { setTimeout as sleep } from "node:timers/promises";
import type { Settings } from "../../config/load.ts";
import type { Log } from "../../ground.ts";
import { isMemsvcError, messageOf } from "../../operation/errors.ts";
import { localModelName } from "../choice.ts";
import { runtimeProblem } from "../local/platform.ts";
import { downloadModel } from "./download.ts";
import { findModel } from "./folder.ts";
import { modelHostIn, pinnedModel } from "./pinned.ts";

const lookAgainMs = 10_000;

/**
 * Fetches the local model's files once, in the background of the daemon, with one line in the log. Returns why they are
 * still missing; undefined when they are there or are not to be fetched. If another process holds the lock for
 * installing them, it is waited for, since that process may be dead: its lock only shows that after a minute when its
 * process id is in use again, as in a container, where every start has the same. Other failures are not retried before
 * the next start.
 */
export async function fetchMissingModel(
  home: string,
  settings: Settings,
  log: Log,
  signal: AbortSignal,
  waitMs = lookAgainMs,
): Promise<string | undefined> {
  const name = localModelName(settings);
  const model = name === undefined ? undefined : pinnedModel(name);
  if (model === undefined || settings.modelDownload === "never") return undefined;
  if (runtimeProblem() !== undefined || findModel(home, model.name) !== undefined) return undefined;
  const startedAt = performance.now();
  try {
    const folder = await downloadModel(home, model, { host: modelHostIn(settings), signal });
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    log("info", "fetched the embedding model", { model: model.name, folder, seconds });
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isMemsvcError(error, "conflict")) {
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      return fetchMissingModel(home, settings, log, signal, waitMs);
    }
    const reason = messageOf(error);
    log("warn", `searching by keyword only: the embedding model ${model.name} is missing, and ${reason}`);
    return `the embedding model ${model.name} could not be fetched (memsvc models pull): ${reason}`;
  }
}

import { execFile } from "node:child_process";
import { join } from "node:path";
import { settingsTable } from "../../config/settings-table.ts";
import type { StartFlags } from "../../config/start-flags.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { whileLocked } from "../../paths/while-locked.ts";
import { runtimePath } from "../../system/runtime-path.ts";
import { serveArguments } from "./serve-flags.ts";
import { awaitDaemon, didNotStart } from "./start-daemon.ts";

/**
 * Which store it is, who may use it, where it is found, and what it may do to the machine: of these the caller and
 * the daemon must not think differently. All else that an agent was started with is about that agent.
 */
const sharedSettings: ReadonlySet<string> = new Set([
  "MEMSVC_DB_URL",
  "MEMSVC_DB_AUTH_TOKEN",
  "MEMSVC_SECRET",
  "MEMSVC_HOST",
  "MEMSVC_PORT",
  "MEMSVC_ALLOWED_ROOTS",
  "MEMSVC_MODEL_DOWNLOAD",
]);

/** How long an agent waits for the daemon that another one starts before it looks whether that one gave up. */
const lookMs = 500;
/** And for all that try before it: where a daemon hangs, each takes ten seconds to say so. */
const longestTurnMs = 15_000;

/**
 * Starts the daemon of a home for an agent that found none; gives its address. Where several find none at once, as the
 * agents of an editor that opens, or after a crash, one starts it and the others wait. Errors: those of startDaemon.
 */
export async function autostartDaemon(home: string, flags: StartFlags = {}): Promise<string> {
  for (const until = Date.now() + longestTurnMs; Date.now() < until; ) {
    const outcome = await oneAtATime(home, () => startByCommand(home, flags));
    if (outcome.kind === "done") return outcome.result;
    const url = await awaitDaemon(home, lookMs);
    if (url !== undefined) return url;
  }
  return startByCommand(home, flags);
}

async function oneAtATime<T>(home: string, work: () => Promise<T>) {
  try {
    return await whileLocked(join(home, "memsvc.autostart"), work);
  } catch (error) {
    if (isMemsvcError(error)) throw error;
    // Where no lock can be placed no daemon starts either, and says why.
    return { kind: "done", result: await work() } as const;
  }
}

/**
 * The daemon works for every agent of the home until it is stopped, so its settings are those of the config file: not the
 * scope, the keys and the features of whoever came first. A command starts it and ends: some agents stop, when they end,
 * whatever programs theirs have started and wait for.
 */
function startByCommand(home: string, flags: StartFlags): Promise<string> {
  const env = { ...process.env };
  for (const { name } of settingsTable) if (!sharedSettings.has(name)) delete env[name];
  const words = ["daemon", "start", "--home", home, "--json", ...serveArguments(flags)];
  return new Promise((resolve, reject) => {
    const options = { env, windowsHide: true };
    execFile(runtimePath(), [process.argv[1] ?? "", ...words], options, (error, answer, said) => {
      if (error === null) resolve((JSON.parse(answer) as { url: string }).url);
      else reject(didNotStart(said, typeof error.code === "number" ? error.code : (error.signal ?? 1)));
    });
  });
}

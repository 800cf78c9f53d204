import { execFile } from "node:child_process";
import { join } from "node:path";
import { settingsTable } from "../../config/settings-table.ts";
import type { StartFlags } from "../../config/start-flags.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { whileLocked } from "../../paths/while-locked.ts";
import { runtimePath } from "../../system/runtime-path.ts";
import { serveArguments } from "./serve-flags.ts";
import { awaitDaemon, startFailure } from "./start-daemon.ts";

/**
 * Settings that caller and daemon must agree on: which store, who may use it, its address, and its use of the machine.
 * All other settings in an agent's environment concern only that agent.
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

/** How long an agent waits for a daemon that another one is starting before it checks whether that one gave up. */
const lookMs = 500;
/** How long all attempts together may take: if the daemon hangs, each attempt takes ten seconds. */
const longestTurnMs = 15_000;

/**
 * Starts a home's daemon for an agent that found none, and returns its address. If several find none at once (an editor
 * opens several agents, or the daemon crashed), one starts it and the others wait. Errors: those of startDaemon.
 */
export async function autostartDaemon(home: string, flags: StartFlags = {}): Promise<string> {
  for (const until = performance.now() + longestTurnMs; performance.now() < until; ) {
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
    // Where no lock can be created, a daemon cannot start either, and its error says why.
    return { kind: "done", result: await work() } as const;
  }
}

/**
 * Starts the daemon by a command in a process of its own. The daemon serves every agent of the home until it is
 * stopped, so its settings come from the config file, not from the environment of the agent that happened to start it.
 * The command exits afterwards: some agents kill at their end every process that their servers have started and wait
 * for.
 */
function startByCommand(home: string, flags: StartFlags): Promise<string> {
  const env = { ...process.env };
  for (const { name } of settingsTable) if (!sharedSettings.has(name)) delete env[name];
  const words = ["daemon", "start", "--home", home, "--json", ...serveArguments(flags)];
  return new Promise((resolve, reject) => {
    const options = { env, windowsHide: true };
    execFile(runtimePath(), [process.argv[1] ?? "", ...words], options, (error, answer, said) => {
      if (error === null) resolve((JSON.parse(answer) as { url: string }).url);
      else reject(startFailure(said, typeof error.code === "number" ? error.code : (error.signal ?? 1)));
    });
  });
}

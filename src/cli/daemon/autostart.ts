import { execFile } from "node:child_process";
import { settingsTable } from "../../config/settings-table.ts";
import type { StartFlags } from "../../config/start-flags.ts";
import { runtimePath } from "../../system/runtime-path.ts";
import { serveArguments } from "./serve-flags.ts";
import { didNotStart } from "./start-daemon.ts";

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

/**
 * Starts the daemon of a home for an agent that found none; gives its address. It works for every agent of the home until
 * it is stopped, so its settings are those of the config file: not the scope, the keys and the features of whoever came
 * first. A command starts it and ends: some agents stop, when they end, whatever programs theirs have started and wait
 * for. Errors: those of startDaemon.
 */
export async function autostartDaemon(home: string, flags: StartFlags = {}): Promise<string> {
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

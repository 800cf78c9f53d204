import { settingsTable } from "../../config/settings-table.ts";
import { type StartOptions, startDaemon } from "./start-daemon.ts";

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
 * Starts the daemon of a home for an agent that found none. It works for every agent of the home until it is stopped,
 * so its settings are those of the config file: not the scope, the keys and the features of whoever came first.
 */
export function autostartDaemon(home: string, options: StartOptions = {}): Promise<string> {
  const env = { ...process.env };
  for (const { name } of settingsTable) if (!sharedSettings.has(name)) delete env[name];
  return startDaemon(home, { ...options, env });
}

import { chmodSync, statSync } from "node:fs";
import { readConfiguration } from "../../config/configuration.ts";
import { configFile } from "../../config/home.ts";
import { detectProvider } from "../../config/provider.ts";
import type { Log } from "../../ground.ts";
import { Daemon } from "../../http/daemon.ts";
import { logFile } from "../../http/log-file.ts";
import type { CommandRun } from "../command.ts";

/** The daemon in the foreground, until SIGTERM or SIGINT. */
export const run: CommandRun = async ({ globals, terminal }, _positional, given) => {
  const flags = {
    ...(typeof given["port"] === "string" ? { MEMSVC_PORT: given["port"] } : {}),
    ...(typeof given["host"] === "string" ? { MEMSVC_HOST: given["host"] } : {}),
  };
  const { home, settings, warnings } = readConfiguration({ home: globals.home, flags });
  // A provider that is named but not set up is a start error, not a surprise at the first call.
  detectProvider(settings);
  const toFile = logFile(home, settings.logLevel);
  const log: Log = (level, message, fields) => {
    toFile(level, message, fields);
    if (level === "error" || level === "warn") terminal.complain(`memsvc: ${message}`);
  };
  for (const warning of warnings) log("warn", warning);
  tightenConfigFile(home, log);
  if (settings.secret !== undefined && settings.secret.length < 16)
    log("warn", "MEMSVC_SECRET is shorter than 16 characters");
  const stopped = new Promise<string>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
  const daemon = await Daemon.open({ home, settings, log });
  process.stdout.write(`memsvc listening on ${daemon.url}\n`);
  log("info", "listening", { url: daemon.url, pid: process.pid });
  const signal = await stopped;
  log("info", "stopping", { signal });
  await daemon.close();
  log("info", "stopped");
  return 0;
};

function tightenConfigFile(home: string, log: Log): void {
  const file = configFile(home);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & 0o077) === 0) return;
  chmodSync(file, 0o600);
  log("warn", `${file} could be read by others; its mode is 0600 now`);
}

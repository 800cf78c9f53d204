import { runningServer } from "../../config/lock-file.ts";
import { readStartFlags, type StartFlags } from "../../config/start-flags.ts";

/** Flags of `memsvc serve` with a value: commander's name, the setting, the word. */
const valuedFlags = [
  { flag: "port", setting: "MEMSVC_PORT", word: "--port" },
  { flag: "host", setting: "MEMSVC_HOST", word: "--host" },
  { flag: "viewerPort", setting: "MEMSVC_VIEWER_PORT", word: "--viewer-port" },
] as const;

/** The settings from flags. */
export function startFlagsOf(given: Readonly<Record<string, unknown>>): StartFlags {
  const valued = valuedFlags.flatMap(({ flag, setting }) => {
    const value = given[flag];
    return typeof value === "string" ? [[setting, value] as const] : [];
  });
  return { ...Object.fromEntries(valued), ...(given.viewer === false ? { MEMSVC_VIEWER: "false" } : {}) };
}

/** The command-line words that give `memsvc serve` these settings. */
export function serveArguments(flags: StartFlags): string[] {
  const valued = valuedFlags.flatMap(({ setting, word }) => {
    const value = flags[setting];
    return value === undefined ? [] : [word, value];
  });
  return flags.MEMSVC_VIEWER === "false" ? [...valued, "--no-viewer"] : valued;
}

/** The commands that give a daemon these flags as settings, for one that takes no flags. */
export function asSettings(flags: StartFlags): string {
  const settings = Object.entries(flags).map(([name, value]) => `memsvc config set ${name} ${value}`);
  return [...settings, "memsvc daemon restart"].join("; ");
}

/** The daemon's previous flags, overridden by the ones given now. */
export function mergeStartFlags(kept: StartFlags, given: StartFlags): StartFlags {
  const { MEMSVC_VIEWER: viewer, ...others } = kept;
  // Giving a port for the viewer switches it on.
  const isOff = viewer !== undefined && given.MEMSVC_VIEWER_PORT === undefined;
  return { ...others, ...(isOff ? { MEMSVC_VIEWER: viewer } : {}), ...given };
}

interface RestartFlags {
  readonly flags: StartFlags;
  /** The flags of the running daemon cannot be read: these are only its port and host, from its lock. */
  readonly areLost: boolean;
}

/** The flags with which a restarted daemon is the same as before. */
export function restartFlags(home: string): RestartFlags {
  const kept = readStartFlags(home);
  const { port, host } = runningServer(home) ?? { port: 0, host: "" };
  if (port === 0) return { flags: kept ?? {}, areLost: false };
  const taken = { MEMSVC_PORT: String(port) };
  if (kept === undefined) return { flags: { ...taken, MEMSVC_HOST: host }, areLost: true };
  // With port 0 the daemon has chosen a port, by which clients know it, so it must get the same one again.
  return { flags: kept.MEMSVC_PORT === "0" ? { ...kept, ...taken } : kept, areLost: false };
}

/** Those of the flags with which the running daemon was not started. */
export function unappliedFlags(home: string, given: StartFlags): StartFlags {
  const { port, host } = runningServer(home) ?? { port: 0, host: "" };
  const applied: StartFlags = { MEMSVC_PORT: String(port), MEMSVC_HOST: host, ...readStartFlags(home) };
  // Port 0 is any port, so it is the one that the daemon has.
  const isApplied = (name: string, value?: string) =>
    value === applied[name] || (name === "MEMSVC_PORT" && (value === "0" || value === String(port)));
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isApplied(name, value)));
}

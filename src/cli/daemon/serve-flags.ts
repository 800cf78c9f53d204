import { runningServer } from "../../config/lock-file.ts";
import { readStartFlags, type StartFlags } from "../../config/start-flags.ts";

/** Flags of `memsvc serve` with a value: as commander gives them, the setting, the word. */
const valuedFlags = [
  { flag: "port", setting: "MEMSVC_PORT", word: "--port" },
  { flag: "host", setting: "MEMSVC_HOST", word: "--host" },
  { flag: "viewerPort", setting: "MEMSVC_VIEWER_PORT", word: "--viewer-port" },
] as const;

/** The settings that flags give. */
export function startFlagsOf(given: Readonly<Record<string, unknown>>): StartFlags {
  const valued = valuedFlags.flatMap(({ flag, setting }) => {
    const value = given[flag];
    return typeof value === "string" ? [[setting, value] as const] : [];
  });
  return { ...Object.fromEntries(valued), ...(given.viewer === false ? { MEMSVC_VIEWER: "false" } : {}) };
}

/** The words by which `memsvc serve` gets these settings. */
export function serveArguments(flags: StartFlags): string[] {
  const valued = valuedFlags.flatMap(({ setting, word }) => {
    const value = flags[setting];
    return value === undefined ? [] : [word, value];
  });
  return flags.MEMSVC_VIEWER === "false" ? [...valued, "--no-viewer"] : valued;
}

/** The flags that a daemon had, under those that are given now. */
export function mergeStartFlags(kept: StartFlags, given: StartFlags): StartFlags {
  const { MEMSVC_VIEWER: viewer, ...others } = kept;
  // A port for the viewer asks for one.
  const isOff = viewer !== undefined && given.MEMSVC_VIEWER_PORT === undefined;
  return { ...others, ...(isOff ? { MEMSVC_VIEWER: viewer } : {}), ...given };
}

/** The flags by which a daemon would be again what it is. */
export interface RestartFlags {
  readonly flags: StartFlags;
  /** It runs, and its own cannot be read: these have its port and host alone, as its lock tells them. */
  readonly areLost: boolean;
}

export function restartFlags(home: string): RestartFlags {
  const kept = readStartFlags(home);
  const { port, host } = runningServer(home) ?? { port: 0, host: "" };
  if (port === 0) return { flags: kept ?? {}, areLost: false };
  const taken = { MEMSVC_PORT: String(port) };
  if (kept === undefined) return { flags: { ...taken, MEMSVC_HOST: host }, areLost: true };
  // Clients know a free port that was taken by the number that it turned out to be.
  return { flags: kept.MEMSVC_PORT === "0" ? { ...kept, ...taken } : kept, areLost: false };
}

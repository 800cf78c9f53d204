import type { CommandContext } from "../command.ts";

/** Whether the store that a command works with is somebody else's to keep: a named daemon's, or on a server. */
export function usesExternalStore({ configuration, globals }: CommandContext): boolean {
  const { settings, origins } = configuration();
  const namesDaemon = globals.url !== undefined || origins.MEMSVC_URL !== "default";
  return (namesDaemon && !globals.offline) || settings.dbUrl !== undefined;
}

import type { CommandContext } from "../command.ts";

/** Whether the command's store is not kept by this home: it belongs to a named daemon or is on a database server. */
export function usesExternalStore({ configuration, globals }: CommandContext): boolean {
  const { settings, origins } = configuration();
  const namesDaemon = globals.url !== undefined || origins.MEMSVC_URL !== "default";
  return (namesDaemon && !globals.offline) || settings.dbUrl !== undefined;
}

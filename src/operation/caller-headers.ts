import { percentDecoded } from "../text/percent-decoded.ts";
import type { Caller } from "./define.ts";

/*
 * Headers by which a command or the stdio shim tells the daemon, which serves many clients, about itself. The values
 * are percent-encoded, because headers carry ASCII only.
 */

/** The agent that the client works for, used instead of the setting AGENT_ID. */
export const agentHeader = "x-memsvc-agent";

/** The client's working folder: relative paths start from it. */
export const folderHeader = "x-memsvc-folder";

export function callerHeaders({
  agentId,
  cwd,
}: Pick<Caller, "agentId" | "cwd">): Readonly<Record<string, string>> {
  return {
    ...(agentId === undefined ? {} : { [agentHeader]: encodeURIComponent(agentId.toWellFormed()) }),
    ...(cwd === undefined ? {} : { [folderHeader]: encodeURIComponent(cwd.toWellFormed()) }),
  };
}

/** The decoded value of such a header; a value that is not valid percent-encoding is taken literally. */
export function decodedHeader(value: string | null): string | undefined {
  return value === null ? undefined : (percentDecoded(value) ?? value);
}

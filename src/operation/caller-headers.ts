/*
 * Headers by which a command or the stdio shim tells the daemon, which serves many clients, about itself. The values
 * are percent-encoded, because headers carry ASCII only.
 */

/** The agent that the client works for, used instead of the setting AGENT_ID. */
export const agentHeader = "x-memsvc-agent";

/** The client's working folder: relative paths start from it. */
export const folderHeader = "x-memsvc-folder";

interface Told {
  readonly agentId?: string | undefined;
  readonly cwd?: string | undefined;
}

export function callerHeaders({ agentId, cwd }: Told): Readonly<Record<string, string>> {
  return {
    ...(agentId === undefined ? {} : { [agentHeader]: encodeURIComponent(agentId.toWellFormed()) }),
    ...(cwd === undefined ? {} : { [folderHeader]: encodeURIComponent(cwd.toWellFormed()) }),
  };
}

/** The decoded value of such a header; a value that is not valid percent-encoding is taken literally. */
export function decodedHeader(value: string | null): string | undefined {
  if (value === null) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

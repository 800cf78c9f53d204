/*
 * What a command line or the stdio shim tells a daemon, which works for many, about itself. The values are
 * percent-encoded, since a header carries ASCII only.
 */

/** The agent that it works for: stands in for the setting AGENT_ID. */
export const agentHeader = "x-memsvc-agent";

/** The folder that it works in: relative paths start from it. */
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

/** What such a header says; one that is not encoded is meant as it stands. */
export function toldIn(value: string | null): string | undefined {
  if (value === null) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

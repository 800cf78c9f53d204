import type { ConnectionSummary } from "../connect/connection-summary.ts";

interface State extends ConnectionSummary {
  readonly isCritical: boolean;
  readonly hasDaemon: boolean;
  readonly memories: number;
}

/** A sensible next command: first for problems, then for what is missing, then for using what is there. */
export function suggestedCommand({ isCritical, hasDaemon, memories, connected, unconnected }: State): string {
  const [first] = unconnected;
  if (isCritical) return "memsvc doctor";
  if (connected.length === 0 && first !== undefined) return `memsvc connect ${first}`;
  if (connected.length > 0 && !hasDaemon) return "memsvc daemon start";
  return memories === 0 ? 'memsvc remember "…"' : 'memsvc search "…"';
}

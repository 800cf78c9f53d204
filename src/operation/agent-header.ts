/**
 * The agent that a command line or the stdio shim works for, percent-encoded: to the daemon, which works for many, it
 * stands in for the setting AGENT_ID.
 */
export const agentHeader = "x-memsvc-agent";

export function agentHeaders(agentId: string | undefined): Readonly<Record<string, string>> {
  return agentId === undefined ? {} : { [agentHeader]: encodeURIComponent(agentId.toWellFormed()) };
}

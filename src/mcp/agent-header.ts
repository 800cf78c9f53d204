/** Header in which the stdio shim names the agent that it works for, percent-encoded. */
export const agentHeader = "x-memsvc-agent";

/** Which tools the agent of the stdio shim is offered, of those that the daemon offers. */
export const toolsHeader = "x-memsvc-tools";

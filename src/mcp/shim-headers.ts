/** Header in which the stdio shim says which of the daemon's tools its agent is offered. */
export const toolsHeader = "x-memsvc-tools";

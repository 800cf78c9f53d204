/* What the stdio shim says of itself with each message, percent-encoded. */

/** The folder that it was started in, which relative paths start from. */
export const folderHeader = "x-memsvc-folder";

/** Which tools its agent is offered, of those that the daemon offers. */
export const toolsHeader = "x-memsvc-tools";

/** The name under which a command takes standard input or output instead of a file. */
export const standardStream = "-";

/** The folder that a command line or the stdio shim works in, percent-encoded: relative paths start from it. */
export const folderHeader = "x-memsvc-folder";

export function folderHeaders(folder: string | undefined): Readonly<Record<string, string>> {
  return folder === undefined ? {} : { [folderHeader]: encodeURIComponent(folder.toWellFormed()) };
}

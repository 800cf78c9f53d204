import { fullPath } from "../../paths/path-text.ts";

/** A folder as the list of the names in its path. */
export type FolderPath = readonly string[];

export function folderPath(folder: string): FolderPath {
  return names(fullPath(folder, undefined));
}

/** How many steps, up and down, lead from the file's folder to the folder; 0 for a file in it. */
export function folderSteps(file: string, folder: FolderPath): number {
  const home = names(file).slice(0, -1);
  let common = 0;
  while (common < home.length && home[common] === folder[common]) common += 1;
  return home.length + folder.length - 2 * common;
}

function names(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is a folder, or lies in it at any depth. Both are taken as they are: no link is followed. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

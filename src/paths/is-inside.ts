import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is the folder or lies inside it at any depth. Compares the texts only: no links are followed. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

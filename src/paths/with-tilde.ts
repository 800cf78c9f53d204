import { isInside } from "./is-inside.ts";

/** A path as a shell shows it: with a tilde if it lies in the user's home. */
export function withTilde(path: string, home: string): string {
  return isInside(path, home) ? `~${path.slice(home.length)}` : path;
}

import { join } from "node:path";
import { homeOfUser } from "../system/home-of-user.ts";

/**
 * Replaces the tilde of `~` and `~/…` by a home folder, the user's unless given; any other path is returned unchanged.
 */
export function expandHome(path: string, home?: string): string {
  return path === "~" || /^~[/\\]/u.test(path) ? join(home ?? homeOfUser(), path.slice(1)) : path;
}

import { isAbsolute, relative, resolve } from "node:path";
import type { SessionPlace } from "../../capture/sessions/sessions.ts";
import type { StreamHit } from "./fusion.ts";

/**
 * Tells whether a hit has a file below the folder, or comes from a session that worked there. `files` are those that
 * the documents name, by row of the index.
 */
export function folderTest(
  cwd: string,
  sessions: ReadonlyMap<string, SessionPlace>,
  files: ReadonlyMap<number, readonly string[]>,
): (hit: StreamHit) => boolean {
  const folder = resolve(cwd);
  const isBelow = (path: string) => {
    const way = relative(folder, path);
    return way === "" || (!way.startsWith("..") && !isAbsolute(way));
  };
  return (hit) => {
    const home = hit.sessionId === null ? undefined : sessions.get(hit.sessionId)?.cwd;
    if (home !== undefined && isBelow(home)) return true;
    return (files.get(hit.id) ?? []).some((file) =>
      isAbsolute(file) ? isBelow(file) : home !== undefined && isBelow(resolve(home, file)),
    );
  };
}

import type { SessionPlace } from "../../capture/sessions/sessions.ts";
import type { DocumentPlace } from "../../index/hits.ts";
import { folderPrefix, fullPath, isAbsolute } from "../../paths/path-text.ts";
import type { StreamHit } from "./fusion.ts";

/**
 * Returns a test whether a hit has a file below the folder, or comes from a session that worked there. Relative paths
 * start from the folder of the session, or of the project if there is no session. `places` are by row of the index.
 */
export function folderMatcher(
  cwd: string,
  sessions: ReadonlyMap<string, SessionPlace>,
  places: ReadonlyMap<number, DocumentPlace>,
): (hit: StreamHit) => boolean {
  const folder = folderPrefix(cwd);
  const isBelow = (path: string) => `${fullPath(path, undefined)}/`.startsWith(folder);
  return (hit) => {
    const home = hit.sessionId === null ? undefined : sessions.get(hit.sessionId)?.cwd;
    if (home !== undefined && isBelow(home)) return true;
    const { files, projectKey } = places.get(hit.id) ?? { files: [], projectKey: null };
    const root = home ?? projectKey ?? undefined;
    return files.some((file) => isAbsolute(fullPath(file, root)) && isBelow(fullPath(file, root)));
  };
}

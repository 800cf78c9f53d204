import { existsSync } from "node:fs";
import { isFileChange } from "../../capture/observations/calls/tool-kind.ts";
import type { TouchingDocument } from "../../index/documents/touching.ts";
import { fullPath } from "../../paths/path-text.ts";
import { comparedName, type FileTraces, isMovedFile, type TraceRequest } from "./file-traces.ts";
import { type DatedMove, formerPaths } from "./former-paths.ts";

/**
 * The newest command of another session that moved or deleted a file, or a folder that it was in; undefined if none did
 * since the file was last read or changed, or if it is there.
 */
export async function goneSince(
  { file, traces }: FileTraces,
  request: TraceRequest,
): Promise<DatedMove | undefined> {
  const { moves, exceptSession, folder, folderOf, placeOf } = request;
  const lastSeen = Math.max(...traces.filter(showsFile).map(({ createdAt }) => createdAt));
  const name = comparedName(file, request);
  for (const move of moves.filter(({ at, sessionId }) => at >= lastSeen && sessionId !== exceptSession)) {
    const [cameBack] = formerPaths(name, [move], Number.POSITIVE_INFINITY);
    if (cameBack !== undefined) return undefined;
    const named = move.from.flatMap((from) => fromSegment(name, from) ?? []);
    if (named.length === 0) continue;
    const start = await folderOf(move.sessionId);
    if (named.some((one) => isMovedFile(name, fullPath(one, start), placeOf)))
      return existsSync(fullPath(file, folder)) ? undefined : move;
  }
  return undefined;
}

/** The end of a path that begins with a name in it; undefined if it is not in it. */
function fromSegment(path: string, name: string): string | undefined {
  const at = `/${path}/`.lastIndexOf(`/${name}/`);
  return at < 0 ? undefined : path.slice(at);
}

function showsFile({ type }: TouchingDocument): boolean {
  return type === "file_read" || isFileChange({ type });
}

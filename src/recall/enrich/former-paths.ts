import {
  type FileMove,
  fileMoves,
  movesIntoFolder,
  nameWithin,
} from "../../capture/observations/commands/file-moves.ts";
import { ranCommand } from "../../capture/observations/commands/ran-command.ts";
import { callStartsAlone } from "../../capture/observations/repetitions.ts";
import { documentsTitled } from "../../index/documents/touching.ts";
import type { SearchScope } from "../../index/scope.ts";
import { folderPrefix, isAbsolute } from "../../paths/path-text.ts";
import type { Sql } from "../../store/sql.ts";

const mostMoves = 200;

/** A move, or a deletion, of files that a command made. */
export interface DatedMove extends FileMove {
  readonly command: string;
  /** Milliseconds. */
  readonly at: number;
  readonly sessionId: string | null;
}

/**
 * The newest moves and deletions that commands made, newest first. Names below the working folder of the session
 * (`folderOf`) are relative to it.
 */
export async function movesMade(
  sql: Sql,
  scope: SearchScope,
  folderOf: (sessionId: string | null) => Promise<string | undefined>,
): Promise<DatedMove[]> {
  const ofCommands = { ...scope, kinds: ["observation"] };
  const moved = await documentsTitled(sql, "mv", ofCommands, mostMoves);
  const removed = await documentsTitled(sql, "rm", ofCommands, mostMoves);
  const found = [...new Map([...moved, ...removed].map((one) => [one.id, one])).values()].sort(
    (one, other) => other.createdAt - one.createdAt || other.id - one.id,
  );
  const commands = found.flatMap(({ ref, type, title, createdAt, sessionId }) => {
    const { command, hasFailed } = ranCommand({ type, title, compression: "synthetic", ran: null });
    return command === undefined || hasFailed ? [] : [{ ref, command, at: createdAt, sessionId }];
  });
  const begun = await callStartsAlone(
    sql,
    commands.map(({ ref }) => ref),
  );
  const moves = commands
    .filter(({ ref }) => !begun.has(ref))
    .flatMap(({ command, at, sessionId }) =>
      fileMoves(command).map((move) => ({ ...move, command, at, sessionId })),
    );
  return Promise.all(
    moves.map(async (move) => {
      const hasFullPath = [...move.from, move.to ?? ""].some(isAbsolute);
      return hasFullPath ? seenFrom(await folderOf(move.sessionId), move) : move;
    }),
  );
}

function seenFrom(folder: string | undefined, move: DatedMove): DatedMove {
  if (folder === undefined) return move;
  const prefix = folderPrefix(folder);
  const named = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
  const { from, to, ...rest } = move;
  return { ...rest, from: from.map(named), ...(to === undefined ? {} : { to: named(to) || "./" }) };
}

/** A name that a file may have had until a move. */
export interface FormerPath {
  readonly path: string;
  readonly until: number;
  /** The path after the move as the command gives it, relative to the folder of its session. */
  readonly named: string;
  readonly sessionId: string | null;
}

/** The former paths of a file by the moves before a time (newest first), in whatever folder they were made. */
export function* formerPaths(
  path: string,
  moves: readonly DatedMove[],
  before: number,
): Generator<FormerPath, void, undefined> {
  for (const move of moves) {
    const { from, to, at: until, sessionId } = move;
    if (to === undefined || until >= before) continue;
    for (const name of from) {
      const within = nameWithin(to, name);
      const names = movesIntoFolder(move) ? [within] : [within, to];
      const now = names.find((one) => `/${path}/`.includes(`/${one}/`));
      if (now === undefined) continue;
      const at = `/${path}/`.lastIndexOf(`/${now}/`);
      yield {
        path: `${path.slice(0, at)}${name}${path.slice(at + now.length)}`,
        named: path.slice(at),
        until,
        sessionId,
      };
    }
  }
}

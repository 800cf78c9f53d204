import { basename, join } from "node:path/posix";
import { begunOnly } from "../../capture/observations/call-twins.ts";
import { type FileMove, fileMoves } from "../../capture/observations/rules/file-moves.ts";
import { ranCommand } from "../../capture/observations/rules/ran-command.ts";
import { documentsTitled } from "../../index/documents/touching.ts";
import type { SearchScope } from "../../index/scope.ts";
import type { Sql } from "../../store/sql.ts";

const mostMoves = 200;

/** A move that a command made. */
export interface DatedMove extends FileMove {
  /** Milliseconds. */
  readonly at: number;
}

/** The newest moves that commands made, newest first. */
export async function movesMade(sql: Sql, scope: SearchScope): Promise<DatedMove[]> {
  const found = await documentsTitled(sql, "mv", { ...scope, kinds: ["observation"] }, mostMoves);
  const commands = found.flatMap(({ ref, type, title, createdAt }) => {
    const { command, hasFailed } = ranCommand({ type, title, compression: "synthetic", ran: null });
    return command === undefined || hasFailed ? [] : [{ ref, command, at: createdAt }];
  });
  const begun = await begunOnly(
    sql,
    commands.map(({ ref }) => ref),
  );
  return commands
    .filter(({ ref }) => !begun.has(ref))
    .flatMap(({ command, at }) => fileMoves(command).map((move) => ({ ...move, at })));
}

/** What a file was called until the newest of the moves, which are from before a time, that gave it its name. */
export function formerPath(
  path: string,
  moves: readonly DatedMove[],
  before: number,
): { readonly path: string; readonly until: number } | undefined {
  for (const { from, to, at } of moves) {
    if (to === undefined || at >= before) continue;
    for (const name of from) {
      const former = pathBefore(path, name, to, from.length > 1);
      if (former !== undefined) return { path: former, until: at };
    }
  }
  return undefined;
}

/** Undefined where the path is not what came of a name that was moved to a target, or into one that is a folder. */
function pathBefore(path: string, name: string, target: string, isInto: boolean): string | undefined {
  const into = join(target, basename(name));
  const moved = isInto || target.endsWith("/") ? [into] : [into, target];
  for (const now of moved) {
    const at = `/${path}/`.lastIndexOf(`/${now}/`);
    if (at >= 0) return `${path.slice(0, at)}${name}${path.slice(at + now.length)}`;
  }
  return undefined;
}

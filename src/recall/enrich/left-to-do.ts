import { lastAnswersOf } from "../../capture/observations/reads/last-statements.ts";
import { newestSessions } from "../../capture/sessions/history.ts";
import type { View } from "../../capture/sessions/view.ts";
import { openItemsOfAnswer } from "../../knowledge/open-work/open-items.ts";
import { withoutTodoCue } from "../../knowledge/open-work/todo-cues.ts";
import type { Sql } from "../../store/sql.ts";
import { pathsIn } from "../../text/paths-in-text.ts";
import { comparablePath, isSameFile } from "./same-file.ts";

/** More than a context block shows: what is left to do in a file stays open until somebody comes back to the file. */
const sessionsLookedAt = 40;

/** Something that an answer left to do in a file. */
export interface LeftInFile {
  /** Milliseconds. */
  readonly at: number;
  readonly text: string;
}

/** What was left to do in a file, newest first. */
export type LeftToDo = (file: string, cwd: string | undefined) => LeftInFile[];

/** What the last answers of the newest sessions leave to do and name by file. */
export async function leftToDoByFile(
  sql: Sql,
  { keys, filter }: View,
  exceptSession: string | undefined,
): Promise<LeftToDo> {
  // Without a project, a file of the same name may be any.
  if (keys === undefined) return () => [];
  const view = { keys, filter };
  const sessions = await newestSessions(sql, view, sessionsLookedAt, exceptSession);
  const answers = await lastAnswersOf(
    sql,
    sessions.map(({ id }) => id),
    filter,
  );
  const items = [...answers.values()]
    .flat()
    .flatMap(({ at, narrative }) => openItemsOfAnswer(narrative).map((text) => ({ at, text })))
    .map((item) => ({ ...item, paths: pathsIn(item.text) }))
    .toSorted((a, b) => b.at - a.at);
  return (file, cwd) => {
    const wanted = comparablePath(file, cwd);
    return items
      .filter(({ paths }) => paths.some((path) => isSameFile(comparablePath(path, cwd), wanted)))
      .map(({ at, text }) => ({ at, text: withoutTodoCue(text) }));
  };
}

import { setImmediate } from "node:timers/promises";
import { begunOnly } from "../../capture/observations/reads/history.ts";
import { documentsTouching, type TouchingDocument } from "../../index/documents/touching.ts";
import type { SearchScope } from "../../index/scope.ts";
import type { Sql } from "../../store/sql.ts";
import { comparablePath, isSameFile } from "./same-file.ts";

/** Of a file that is touched at every turn the newest traces of each kind tell enough. */
const tracesPerKind = 600;

/** What is stored about one file, newest first. */
export interface FileTraces {
  /** The file as it was asked for. */
  readonly file: string;
  readonly traces: readonly TouchingDocument[];
  /** It may have been touched more often than its traces tell. */
  readonly isCutOff: boolean;
}

/** Which records are looked at. */
export type TraceScope = SearchScope & Required<Pick<SearchScope, "kinds">>;

export interface TraceRequest {
  readonly scope: TraceScope;
  /** Where relative paths start. */
  readonly cwd: string | undefined;
  /** What happened in it is left out. */
  readonly exceptSession: string | undefined;
}

/** The records that touched a file. */
export async function fileTraces(sql: Sql, file: string, request: TraceRequest): Promise<FileTraces> {
  const wanted = comparablePath(file, request.cwd);
  // Gives way to whoever waits: a request may name fifty files.
  await setImmediate();
  const { found, isCutOff } = await newestOfEachKind(sql, wanted, request.scope);
  const touching = found.filter(
    ({ kind, sessionId, files }) =>
      (kind !== "observation" || sessionId !== request.exceptSession) &&
      files.some((stored) => isSameFile(comparablePath(stored, request.cwd), wanted)),
  );
  // Hooks tell a call before and after it; what was only begun may have been refused.
  const begun = await begunOnly(
    sql,
    touching.flatMap(({ kind, ref }) => (kind === "observation" ? [ref] : [])),
  );
  return { file, traces: touching.filter(({ ref }) => !begun.has(ref)), isCutOff };
}

/** Of each kind by itself: many edits do not push out the memories, which are few. */
async function newestOfEachKind(
  sql: Sql,
  path: string,
  scope: TraceScope,
): Promise<{ found: TouchingDocument[]; isCutOff: boolean }> {
  const byKind: TouchingDocument[][] = [];
  for (const kind of scope.kinds)
    byKind.push(await documentsTouching(sql, path, { ...scope, kinds: [kind] }, tracesPerKind));
  return {
    found: byKind.flat().sort((a, b) => b.id - a.id),
    isCutOff: byKind.some((found) => found.length >= tracesPerKind),
  };
}

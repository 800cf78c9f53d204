import { setImmediate } from "node:timers/promises";
import { begunOnly } from "../../capture/observations/reads/history.ts";
import { documentsTouching, type TouchingDocument } from "../../index/documents/touching.ts";
import type { SearchScope } from "../../index/scope.ts";
import type { Sql } from "../../store/sql.ts";
import { comparablePath, isSameFile } from "./same-file.ts";

/** Of a file that is touched at every turn the newest traces tell enough. */
const tracesPerFile = 600;

/** What is stored about one file, newest first. */
export interface FileTraces {
  /** The file as it was asked for. */
  readonly file: string;
  readonly traces: readonly TouchingDocument[];
}

export interface TraceRequest {
  readonly scope: SearchScope;
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
  const found = await documentsTouching(sql, wanted, request.scope, tracesPerFile);
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
  return { file, traces: touching.filter(({ ref }) => !begun.has(ref)) };
}

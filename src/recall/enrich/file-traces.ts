import { existsSync } from "node:fs";
import { posix } from "node:path";
import { setImmediate } from "node:timers/promises";
import { namedInFull } from "../../capture/observations/reads/named-paths.ts";
import { callStartsAlone } from "../../capture/observations/repetitions.ts";
import { documentsTouching, type TouchingDocument } from "../../index/documents/touching.ts";
import type { SearchScope } from "../../index/scope.ts";
import { fullPath, isAbsolute } from "../../paths/path-text.ts";
import { repositoryTop } from "../../paths/repository-top.ts";
import type { Sql } from "../../store/sql.ts";
import { type DatedMove, type FormerPath, formerPaths } from "./former-paths.ts";
import { comparablePath, isSameFile } from "./same-file.ts";

/** Newest traces of each kind that are read of a file; a file may be touched all the time. */
const tracesPerKind = 600;
/** Former names of a file are followed back for at most this many moves. */
const mostMovesOfFile = 5;

/** What is stored about one file, newest first. */
export interface FileTraces {
  /** The file as it was asked for. */
  readonly file: string;
  /** Names that it had until commands moved it. */
  readonly formerNames: readonly FormerName[];
  readonly traces: readonly TouchingDocument[];
  /** Whether a limit was reached, so that there may be more traces. */
  readonly isCutOff: boolean;
}

interface FormerName {
  readonly name: string;
  /** Milliseconds. */
  readonly until: number;
}

/** Which records are looked at. */
export type TraceScope = SearchScope & Required<Pick<SearchScope, "kinds">>;

export interface TraceRequest {
  readonly scope: TraceScope;
  /** Where relative paths start. */
  readonly cwd: string | undefined;
  /** The folder in which a file that is named by a relative path is looked for. */
  readonly folder: string | undefined;
  /** Set for a file that no project contains; then names that are relative to a project do not mean it. */
  readonly isOutside?: boolean;
  /** A session whose records are left out. */
  readonly exceptSession: string | undefined;
  /** Moves that commands made, newest first. */
  readonly moves: readonly DatedMove[];
  /** Where a file lies in its repository; undefined outside one. */
  readonly placeOf: (path: string) => string | undefined;
  /** The working folder of a session, from which its relative paths start. */
  readonly folderOf: (sessionId: string | null) => Promise<string | undefined>;
}

/** The records that touched a file, also under names that it had before commands moved it. */
export async function fileTraces(sql: Sql, file: string, request: TraceRequest): Promise<FileTraces> {
  const all = await tracesOfName(sql, file, request);
  const traces = new Map(all.traces.map((trace) => [trace.id, trace]));
  const formerNames: FormerName[] = [];
  let { isCutOff } = all;
  let name = comparedName(file, request);
  let until = Number.POSITIVE_INFINITY;
  for (let moves = 0; moves < mostMovesOfFile; moves += 1) {
    const former = await formerName(name, until, request);
    // Traces under the new name from before the move belong to another file.
    if (former === undefined || wasThere([...traces.values()], former.until)) break;
    ({ path: name, until } = former);
    formerNames.push({ name, until });
    const earlier = await tracesOfName(sql, name, request);
    for (const trace of earlier.traces) if (trace.createdAt <= until) traces.set(trace.id, trace);
    isCutOff ||= earlier.isCutOff;
  }
  return { file, formerNames, traces: [...traces.values()], isCutOff };
}

async function formerName(
  name: string,
  before: number,
  { moves, placeOf, folderOf }: TraceRequest,
): Promise<FormerPath | undefined> {
  for (const former of formerPaths(name, moves, before)) {
    const folder = await folderOf(former.sessionId);
    if (isMovedFile(name, fullPath(former.named, folder), placeOf)) return former;
  }
  return undefined;
}

/** The full path of a file if it is known, else its path in the session's folder. */
export function comparedName(file: string, { folder, cwd }: Pick<TraceRequest, "folder" | "cwd">): string {
  return meantPath(file, folder) ?? comparablePath(file, cwd);
}

/** Whether a command that moved something in a folder moved the file. */
export function isMovedFile(name: string, moved: string, placeOf: TraceRequest["placeOf"]): boolean {
  if (!isAbsolute(name) || !isAbsolute(moved)) return isSameFile(name, moved);
  const place = placeOf(name);
  return name === moved || (place !== undefined && place === placeOf(moved));
}

function wasThere(traces: readonly TouchingDocument[], before: number): boolean {
  return traces.some(({ kind, createdAt }) => kind === "observation" && createdAt < before);
}

async function tracesOfName(
  sql: Sql,
  file: string,
  request: TraceRequest,
): Promise<Pick<FileTraces, "traces" | "isCutOff">> {
  const wanted = comparablePath(file, request.cwd);
  const isMeant = (stored: string): boolean => {
    const path = comparablePath(stored, request.cwd);
    return request.isOutside === true ? path === wanted : isSameFile(path, wanted);
  };
  // Yields to the event loop, because a request may name fifty files.
  await setImmediate();
  const { found, isCutOff } = await newestOfEachKind(sql, wanted, request.scope);
  const touching = found.filter(
    ({ kind, sessionId, files }) =>
      (kind !== "observation" || sessionId !== request.exceptSession) && files.some(isMeant),
  );
  const others = await ofOtherFiles(sql, touching, file, isMeant, request);
  // Hooks report a call before and after it ran. A call without its end may have been refused, so it does not count.
  const begun = await callStartsAlone(
    sql,
    touching.map(({ ref }) => ref),
  );
  const traces = touching.filter((trace) => !begun.has(trace.ref) && !others.has(trace));
  return { traces, isCutOff };
}

/**
 * Those of the traces that belong to another file, although one path ends with the other. Paths of a session are
 * relative to its own folder, and each package may have a `src/config.ts`. Files are told apart by the full path that
 * the agent gave, or else by their places in their repositories, as far as these still exist.
 */
async function ofOtherFiles(
  sql: Sql,
  touching: readonly TouchingDocument[],
  file: string,
  isMeant: (stored: string) => boolean,
  { folder, placeOf, folderOf }: TraceRequest,
): Promise<ReadonlySet<TouchingDocument>> {
  const whole = meantPath(file, folder);
  const wanted = whole === undefined ? undefined : placeOf(whole);
  if (whole === undefined || wanted === undefined) return new Set();
  const told = touching.flatMap((trace) => {
    const path = trace.files.find(isMeant);
    if (trace.kind !== "observation" || path === undefined) return [];
    const isInFull = path === wanted || path.endsWith(`/${wanted}`);
    return isInFull ? [] : [{ trace, id: trace.ref, path }];
  });
  const named = await namedInFull(sql, told, wanted);
  const others = new Set(touching.filter(isMemoryOfAnother(wanted, whole, isMeant)));
  for (const { trace, id, path } of told) {
    const place = named.has(id) ? undefined : placeOf(fullPath(path, await folderOf(trace.sessionId)));
    const isWanted = named.get(id) ?? (place === undefined || isSameFile(place, wanted));
    if (!isWanted) others.add(trace);
  }
  return others;
}

/** Whether a memory names another file of the repository, which is there, by its path in it. */
function isMemoryOfAnother(
  wanted: string,
  whole: string,
  isMeant: (stored: string) => boolean,
): (trace: TouchingDocument) => boolean {
  const top = whole.slice(0, whole.length - wanted.length);
  return ({ kind, files }) => {
    const meant = kind === "memory" ? files.filter(isMeant) : [];
    return (
      meant.length > 0 &&
      meant.every((path) => {
        const named = fullPath(path, top);
        return named !== whole && existsSync(named);
      })
    );
  };
}

/**
 * The full path of a file; undefined for a relative path that does not exist in the folder, as it may start elsewhere.
 */
function meantPath(file: string, folder: string | undefined): string | undefined {
  const whole = fullPath(file, folder);
  return isAbsolute(file) || (isAbsolute(whole) && existsSync(whole)) ? whole : undefined;
}

/** Returns a function that gives a file's place in its repository; it looks for the repository once per folder. */
export function placesInRepositories(): (path: string) => string | undefined {
  const tops = new Map<string, string | undefined>();
  return (path) => {
    if (!isAbsolute(path)) return undefined;
    const folder = posix.dirname(path);
    if (!tops.has(folder)) tops.set(folder, repositoryTop(folder));
    const top = tops.get(folder);
    return top === undefined ? undefined : comparablePath(path, top);
  };
}

/** Reads the newest traces of each kind apart, so that many edits do not displace the few memories. */
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

import { textsIn } from "../store/json-columns.ts";
import type { Sql } from "../store/sql.ts";

/** A document that a search found, with what ranking asks of it. */
export interface SearchHit {
  /** Row of the index, the same in every stream. */
  readonly id: number;
  readonly kind: string;
  readonly ref: string;
  readonly sessionId: string | null;
  /** Milliseconds. */
  readonly createdAt: number;
  /** What the stream ranks by; scores of two streams are not comparable. */
  readonly score: number;
  /** 0 to 1. */
  readonly importance: number;
  /** How much of what the query's words tell stands in it or next to it, 0 to 1, where the stream knows. */
  readonly coverage?: number;
}

export interface Ranked {
  readonly id: number;
  readonly score: number;
}

/** What a list of results shows of a document. A search finds hundreds and shows ten, so it is read for those alone. */
export interface DocumentSketch {
  readonly title: string;
  readonly type: string;
  /** At least the body's first 300 characters. */
  readonly snippet: string;
  readonly project: string | null;
  readonly files: readonly string[];
}

type SketchRow = Omit<DocumentSketch, "files"> & { readonly id: number; readonly files: string };

/** Sketches by row of the index; a document that was deleted meanwhile has none. */
export async function readSketches(sql: Sql, ids: readonly number[]): Promise<Map<number, DocumentSketch>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.all<SketchRow>(
    `SELECT documents.id, title, documents.type, substr(body, 1, 300) AS snippet, project, files
    FROM json_each(?) AS shown CROSS JOIN documents ON documents.id = shown.value`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, files, ...sketch }) => [id, { ...sketch, files: textsIn(files) }]));
}

/** Where a document belongs on a disk. */
export interface DocumentPlace {
  readonly files: readonly string[];
  /** A path, where the project is known by one. */
  readonly projectKey: string | null;
}

/** Places of documents, by row of the index. */
export async function readPlaces(sql: Sql, ids: readonly number[]): Promise<Map<number, DocumentPlace>> {
  const rows = await sql.values(
    `SELECT documents.id, files, project_key
    FROM json_each(?) AS asked CROSS JOIN documents ON documents.id = asked.value`,
    [JSON.stringify(ids)],
  );
  return new Map(
    rows.map(([id, files, projectKey]) => [
      Number(id),
      { files: textsIn(String(files)), projectKey: projectKey === null ? null : String(projectKey) },
    ]),
  );
}

import { textsIn } from "../store/json-columns.ts";
import type { Sql } from "../store/sql.ts";
import { isInScope, type Scoped, type SearchScope } from "./scope.ts";

/** A document that a search found, with the fields that ranking uses. */
export interface SearchHit {
  /** Id of the row in `documents`, the same in every stream. */
  readonly id: number;
  readonly kind: string;
  readonly ref: string;
  readonly sessionId: string | null;
  /** Milliseconds. */
  readonly createdAt: number;
  /** The stream ranks by it; scores of two streams are not comparable. */
  readonly score: number;
  /** 0 to 1. */
  readonly importance: number;
  /**
   * The share of the query's words, weighted by how much each tells, that occurs in the document or next to it: 0 to 1.
   * Only the keyword stream knows it.
   */
  readonly coverage?: number;
}

/** Hits for records of a kind that were found in another way than by an index, in their order, as far as the scope admits. */
export async function hitsOfRecords(
  sql: Sql,
  kind: string,
  refs: readonly string[],
  scope: SearchScope,
): Promise<SearchHit[]> {
  const rows = await sql.all<SearchHit & Scoped>(
    `SELECT documents.id, kind, ref, session_id AS sessionId, created_at AS createdAt, importance, 0 AS score,
       project_key AS projectKey, agent_id AS agentId, hidden_after AS hiddenAfter
     FROM json_each(?2) AS asked CROSS JOIN documents ON documents.kind = ?1 AND documents.ref = asked.value
     ORDER BY asked.key`,
    [kind, JSON.stringify(refs)],
  );
  return rows
    .filter((row) => isInScope(scope, row))
    .map(({ id, ref, sessionId, createdAt, score, importance }) => ({
      id,
      kind,
      ref,
      sessionId,
      createdAt,
      score,
      importance,
    }));
}

export interface Ranked {
  readonly id: number;
  readonly score: number;
}

/** The fields that a list of results shows. Read only for the results shown: a search finds hundreds and shows ten. */
export interface DocumentSketch {
  readonly title: string;
  readonly type: string;
  /** At least the body's first 300 characters. */
  readonly snippet: string;
  readonly project: string | null;
  readonly projectKey: string | null;
  readonly files: readonly string[];
}

type SketchRow = Omit<DocumentSketch, "files"> & { readonly id: number; readonly files: string };

/** Sketches by document id; a document that was deleted meanwhile has none. */
export async function readSketches(sql: Sql, ids: readonly number[]): Promise<Map<number, DocumentSketch>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.all<SketchRow>(
    `SELECT documents.id, title, documents.type, substr(body, 1, 300) AS snippet, project, project_key AS projectKey, files
    FROM json_each(?) AS shown CROSS JOIN documents ON documents.id = shown.value`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, files, ...sketch }) => [id, { ...sketch, files: textsIn(files) }]));
}

/** The files and the project folder that a document belongs to. */
export interface DocumentPlace {
  readonly files: readonly string[];
  /** A path, if the project is identified by a path. */
  readonly projectKey: string | null;
}

/** Places of documents, by document id. */
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

/** More than a text needs to come to its topic. */
const topicLength = 8_000;

/**
 * What documents say of their topics, by document id: title, tags and the beginning of the text, but not the files that
 * they are about.
 */
export async function readTopics(sql: Sql, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql.values(
    `SELECT documents.id, title || char(10) || concepts || char(10) || substr(body, 1, ${topicLength})
    FROM json_each(?) AS asked CROSS JOIN documents ON documents.id = asked.value`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(([id, text]) => [Number(id), String(text)]));
}

import type { Sql } from "../store/sql.ts";
import { parseStrings } from "./documents.ts";

/** A document that a search found, with what a list of results shows of it. */
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
  readonly title: string;
  readonly type: string;
  /** The body's first 300 characters. */
  readonly snippet: string;
  readonly project: string | null;
  readonly files: readonly string[];
  /** 0 to 1. */
  readonly importance: number;
  /** How much of what the query's words tell stands in it or next to it, 0 to 1, where the stream knows. */
  readonly coverage?: number;
}

export interface Ranked {
  readonly id: number;
  readonly score: number;
}

type HitRow = Omit<SearchHit, "score" | "coverage" | "files"> & { files: string };

/** Reads what stands behind ranked ids, in their order; a document that was deleted meanwhile is left out. */
export async function readHits(sql: Sql, ranked: readonly Ranked[]): Promise<SearchHit[]> {
  if (ranked.length === 0) return [];
  const rows = await sql.all<HitRow>(
    `SELECT documents.id, kind, ref, session_id AS sessionId, created_at AS createdAt, title, documents.type,
      substr(body, 1, 300) AS snippet, project, files, importance
    FROM json_each(?) AS ranked CROSS JOIN documents ON documents.id = ranked.value`,
    [JSON.stringify(ranked.map(({ id }) => id))],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ranked.flatMap(({ id, score }) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ ...row, files: parseStrings(row.files), score }];
  });
}

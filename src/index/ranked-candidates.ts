import type { Sql, SqlValue } from "../store/sql.ts";
import { saturationOf, termShare } from "./bm25f.ts";
import { type ForwardIndex, openForward } from "./forward.ts";
import type { QueryWord } from "./query-words.ts";
import { isInScope, type Scoped, type SearchScope } from "./scope.ts";

/** A document that a query looks at. */
export interface Candidate {
  readonly id: number;
  readonly kind: string;
  /** What its record calls itself: `conversation`, `file_edit`, `fact`, … */
  readonly type: string;
  readonly ref: string;
  readonly sessionId: string | null;
  /** Milliseconds. */
  readonly createdAt: number;
  /** 0 to 1. */
  readonly importance: number;
  /** BM25F: the sum of the parts. */
  readonly score: number;
  /** What each word of the query adds, in the order of the words. */
  readonly parts: Float64Array;
  readonly document: ForwardIndex;
  /** What its length makes of occurrences in it: see bm25f.ts. */
  readonly saturation: number;
}

/** Reads the candidates that are in the scope and scores them, best first, newest first among equals. */
export async function rankCandidates(
  sql: Sql,
  ids: readonly number[],
  words: readonly QueryWord[],
  averageLength: number,
  scope: SearchScope,
): Promise<Candidate[]> {
  const [found] = await sql.all<PackedRows>(selectCandidates, [JSON.stringify(ids), ...askedOfRows(scope)]);
  const forwards = bytesOf(found?.forwards ?? new Uint8Array());
  const candidates: Candidate[] = [];
  let end = 0;
  for (const row of rowsOf(found?.rows ?? "[]")) {
    const start = end;
    end += row.forwardBytes;
    if (!isInScope(scope, row)) continue;
    const { id, kind, type, ref, sessionId, createdAt, importance } = row;
    const document = openForward(forwards.subarray(start, end));
    const saturation = saturationOf(document, averageLength);
    const parts = new Float64Array(words.length);
    let score = 0;
    for (const [at, { forms }] of words.entries()) {
      let best = 0;
      for (const { hash, weight } of forms)
        best = Math.max(best, weight * termShare(document, hash, saturation));
      parts[at] = best;
      score += best;
    }
    candidates.push({
      id,
      kind,
      type,
      ref,
      sessionId,
      createdAt,
      importance,
      score,
      parts,
      document,
      saturation,
    });
  }
  return candidates.sort((a, b) => b.score - a.score || b.id - a.id);
}

/**
 * All rows as one: their fields as JSON and their forward indexes one behind another. Hundreds of rows with a blob each
 * would take the driver three times as long. Blobs become text by being joined and bytes again by the cast, which
 * changes none of them. Fields that the scope does not ask about are left out.
 */
const selectCandidates = `SELECT json_group_array(json_array(documents.id, kind, documents.type, ref, session_id, created_at,
    hidden_after, importance, CASE WHEN ?2 THEN project_key END, CASE WHEN ?3 THEN agent_id END,
    length(forward))) AS rows, CAST(group_concat(forward, '') AS BLOB) AS forwards
  FROM json_each(?1) AS candidate CROSS JOIN documents ON documents.id = candidate.value`;

function askedOfRows({ projectKeys, agent }: SearchScope): SqlValue[] {
  return [projectKeys === undefined ? 0 : 1, agent === undefined ? 0 : 1];
}

interface PackedRows {
  readonly rows: string;
  readonly forwards: Uint8Array | ArrayBuffer | null;
}

/** `projectKey` and `agentId` are null where the scope does not ask about them. */
type CandidateRow = Scoped & {
  readonly id: number;
  readonly type: string;
  readonly ref: string;
  readonly sessionId: string | null;
  readonly hiddenAfter: number | null;
  readonly importance: number;
  readonly forwardBytes: number;
};

/** What `selectCandidates` says of each row, in the order in which it says it. */
type CandidateFields = readonly [
  id: number,
  kind: string,
  type: string,
  ref: string,
  sessionId: string | null,
  createdAt: number,
  hiddenAfter: number | null,
  importance: number,
  projectKey: string | null,
  agentId: string | null,
  forwardBytes: number,
];

function rowsOf(json: string): CandidateRow[] {
  // The statement above makes these arrays, from columns of these types.
  const rows = JSON.parse(json) as CandidateFields[];
  return rows.map(
    ([
      id,
      kind,
      type,
      ref,
      sessionId,
      createdAt,
      hiddenAfter,
      importance,
      projectKey,
      agentId,
      forwardBytes,
    ]) => ({
      id,
      kind,
      type,
      ref,
      sessionId,
      createdAt,
      hiddenAfter,
      importance,
      projectKey,
      agentId,
      forwardBytes,
    }),
  );
}

function bytesOf(blob: Uint8Array | ArrayBuffer): Uint8Array {
  return blob instanceof Uint8Array ? blob : new Uint8Array(blob);
}

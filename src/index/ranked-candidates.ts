import type { Sql, SqlValue } from "../store/sql.ts";
import { saturationOf, termShare } from "./bm25f.ts";
import { type ForwardIndex, openForward } from "./forward.ts";
import type { QueryWord } from "./query-words.ts";
import { isInScope, type Scoped, type SearchScope } from "./scope.ts";

/** A document that a query looks at. */
export interface Candidate {
  readonly id: number;
  readonly kind: string;
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
  const rows = await sql.all<CandidateRow>(selectCandidates, [JSON.stringify(ids), ...askedOfRows(scope)]);
  const candidates: Candidate[] = [];
  for (const row of rows) {
    if (!isInScope(scope, row)) continue;
    const { id, kind, ref, sessionId, createdAt, importance } = row;
    const document = openForward(row.forward);
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
    candidates.push({ id, kind, ref, sessionId, createdAt, importance, score, parts, document, saturation });
  }
  return candidates.sort((a, b) => b.score - a.score || b.id - a.id);
}

/** A text costs a quarter of a microsecond, which for hundreds of rows counts: those that the scope does not ask are left. */
const selectCandidates = `SELECT documents.id, kind, ref, session_id AS sessionId, created_at AS createdAt,
    hidden_after AS hiddenAfter, importance, CASE WHEN ?2 THEN project_key END AS projectKey,
    CASE WHEN ?3 THEN agent_id END AS agentId, forward
  FROM json_each(?1) AS candidate CROSS JOIN documents ON documents.id = candidate.value`;

function askedOfRows({ projectKeys, agent }: SearchScope): SqlValue[] {
  return [projectKeys === undefined ? 0 : 1, agent === undefined ? 0 : 1];
}

/** `projectKey` and `agentId` are null where the scope does not ask for them. */
type CandidateRow = Scoped & {
  readonly id: number;
  readonly ref: string;
  readonly sessionId: string | null;
  readonly hiddenAfter: number | null;
  readonly importance: number;
  readonly forward: Uint8Array | ArrayBuffer;
};

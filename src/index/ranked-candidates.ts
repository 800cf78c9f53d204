import type { Sql } from "../store/sql.ts";
import { termShares } from "./bm25f.ts";
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
  /** BM25F of a term in the document, without what the term tells. */
  readonly shareOf: (hash: number) => number;
}

/** Reads the candidates that are in the scope and scores them, best first, newest first among equals. */
export async function rankCandidates(
  sql: Sql,
  ids: readonly number[],
  words: readonly QueryWord[],
  averageLength: number,
  scope: SearchScope,
): Promise<Candidate[]> {
  const rows = await sql.all<CandidateRow>(
    `SELECT documents.id, kind, ref, project_key AS projectKey, agent_id AS agentId, session_id AS sessionId,
      created_at AS createdAt, hidden_after AS hiddenAfter, importance, forward
    FROM json_each(?) AS candidate CROSS JOIN documents ON documents.id = candidate.value`,
    [JSON.stringify(ids)],
  );
  return rows
    .filter((row) => isInScope(scope, row))
    .map(({ id, kind, ref, sessionId, createdAt, importance, forward }) => {
      const document = openForward(forward);
      const shareOf = termShares(document, averageLength);
      const parts = Float64Array.from(words, ({ forms }) =>
        forms.reduce((best, { hash, weight }) => Math.max(best, weight * shareOf(hash)), 0),
      );
      const score = parts.reduce((sum, part) => sum + part, 0);
      return { id, kind, ref, sessionId, createdAt, importance, score, parts, document, shareOf };
    })
    .sort((a, b) => b.score - a.score || b.id - a.id);
}

type CandidateRow = Scoped & {
  readonly id: number;
  readonly ref: string;
  readonly sessionId: string | null;
  readonly hiddenAfter: number | null;
  readonly importance: number;
  readonly forward: Uint8Array | ArrayBuffer;
};

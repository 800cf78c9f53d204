import type { Sql } from "../store/sql.ts";
import { isInScope, type Scoped } from "./scope.ts";
import type { VectorHit, VectorQuery } from "./vector-index.ts";

/**
 * Turns candidates of a coarse scan into hits: the cosine from the stored floats, over all chunks of a document.
 * The scope is asked once more, of the documents as they are now.
 */
export async function rescore(
  sql: Sql,
  candidates: readonly number[],
  query: VectorQuery,
): Promise<VectorHit[]> {
  if (candidates.length === 0) return [];
  const rows = await sql.all<ScoreRow>(selectScores, [
    blobOf(query.vector),
    JSON.stringify(candidates),
    query.fingerprint,
    query.vector.byteLength,
  ]);
  return rows
    .filter((row) => isInScope(query.scope, row))
    .flatMap(({ projectKey: _project, agentId: _agent, hiddenAfter: _hidden, score, ...hit }) =>
      score === null || score < query.minSimilarity ? [] : [{ ...hit, score }],
    )
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, query.limit);
}

type ScoreRow = Scoped &
  Omit<VectorHit, "score"> & { readonly hiddenAfter: number | null; readonly score: number | null };

/** How many candidates to take for so many hits: some more, for what 8 bits put in a wrong order. */
export function candidatesFor(limit: number): number {
  return limit + Math.max(leastSpare, Math.ceil(limit / 4));
}

const leastSpare = 50;

/** A vector as the database takes it: little-endian floats. */
export function blobOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The distance of a vector without a direction is NULL, and max() passes over it. */
const selectScores = `SELECT documents.id, kind, ref, session_id AS sessionId, importance, project_key AS projectKey, agent_id AS agentId,
  created_at AS createdAt, hidden_after AS hiddenAfter, max(1 - vector_distance_cos(vector, ?)) AS score
FROM json_each(?) AS candidate
  CROSS JOIN document_vectors ON document_id = candidate.value
  CROSS JOIN documents ON documents.id = document_id
WHERE fingerprint = ? AND length(vector) = ?
GROUP BY candidate.value`;

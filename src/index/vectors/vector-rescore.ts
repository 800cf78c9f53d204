import { exactNumber, packed, packedRows } from "../../store/packed-rows.ts";
import type { Sql } from "../../store/sql.ts";
import type { SearchHit } from "../hits.ts";
import { isInScope } from "../scope.ts";
import type { VectorQuestion } from "../search-streams.ts";
import { blobOf } from "./vectors.ts";

/**
 * Turns the candidates of a scan of quantised vectors into hits. Their scores are computed from the stored float
 * vectors of all chunks, and the scope is checked again with the documents as they are now.
 */
export async function rescore(
  sql: Sql,
  candidates: readonly number[],
  { vector, fingerprint, scope, limit, minSimilarity }: VectorQuestion,
): Promise<SearchHit[]> {
  if (candidates.length === 0) return [];
  const rows = await packedRows<DistanceFields>(sql, selectDistances, [
    blobOf(vector),
    JSON.stringify(candidates),
    fingerprint,
    vector.byteLength,
  ]);
  const hits = new Map<number, SearchHit>();
  for (const [id, kind, ref, sessionId, createdAt, importance, ...rest] of rows) {
    const [projectKey, agentId, hiddenAfter, distance] = rest;
    if (distance === null || !isInScope(scope, { kind, projectKey, agentId, createdAt, hiddenAfter }))
      continue;
    const score = 1 - Math.fround(distance);
    if (score < Math.max(minSimilarity, hits.get(id)?.score ?? -Infinity)) continue;
    hits.set(id, { id, kind, ref, sessionId, createdAt, importance, score });
  }
  return [...hits.values()].sort((a, b) => b.score - a.score || b.id - a.id).slice(0, limit);
}

type DistanceFields = readonly [
  id: number,
  kind: string,
  ref: string,
  sessionId: string | null,
  createdAt: number,
  importance: number,
  projectKey: string | null,
  agentId: string | null,
  hiddenAfter: number | null,
  /** A 32-bit float, for which the digits of packed rows suffice; null for a vector without a direction. */
  distance: number | null,
];

/**
 * How many candidates to take for `limit` hits. There have to be more, because 8-bit vectors rank some candidates in a
 * wrong order. If only the parts of the vectors beside a common axis (see axis.ts) are quantised, few are misplaced: of
 * the first hundred of 100,000, usually one and at most twelve.
 */
export function candidatesFor(limit: number, { besideAxis }: { besideAxis: boolean }): number {
  const [least, share] = besideAxis ? [20, 1 / 8] : [50, 1 / 4];
  return limit + Math.max(least, Math.ceil(limit * share));
}

const columns = [
  ...["id", "kind", "ref", "session_id", "created_at", exactNumber("importance")],
  ...["project_key", "agent_id", "hidden_after", "distance"],
];

/**
 * Selects a row per chunk; grouping by document in SQL would take a fifth of the time. The distance of a vector without
 * a direction is NULL.
 */
const selectDistances = packed(
  columns,
  `SELECT documents.id, documents.kind, ref, session_id, created_at, importance, project_key, agent_id, hidden_after,
    vector_distance_cos(vector, ?) AS distance
  FROM json_each(?) AS candidate
    CROSS JOIN document_vectors ON document_id = candidate.value
    CROSS JOIN documents ON documents.id = document_id
  WHERE fingerprint = ? AND length(vector) = ?`,
);

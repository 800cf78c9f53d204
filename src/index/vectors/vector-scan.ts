import { firstKeys, type Sql, type SqlValue } from "../../store/sql.ts";
import type { SearchHit } from "../hits.ts";
import { agentValues, kindsBeyondProjects, type SearchScope } from "../scope.ts";
import type { VectorQuestion } from "../search-streams.ts";
import { candidatesFor, rescore } from "./vector-rescore.ts";
import { blobOf } from "./vectors.ts";

/**
 * The scan that holds nothing in memory: the database compares the query with the 8-bit codes of all vectors in the
 * scope, which have a quarter of the vectors' size; then the nearest are compared by their float vectors. Codes of one
 * bit per dimension would be read a third faster, but lose recall with short vectors: with 64 dimensions of real texts,
 * 4 in 100 of the first ten.
 */
export async function scanVectors(sql: Sql, question: VectorQuestion): Promise<SearchHit[]> {
  const { vector, limit } = question;
  if (limit < 1 || vector.length === 0) return [];
  let rows = candidatesFor(limit, { besideAxis: false });
  for (;;) {
    const ids = await nearestRows(sql, question, rows);
    const documents = new Set(ids);
    // A few long documents may take all the rows: then more rows are taken, until there are documents enough.
    if (documents.size >= limit || ids.length < rows) return rescore(sql, [...documents], question);
    rows *= moreRows;
  }
}

const moreRows = 8;

/** Ids of the documents of the nearest vectors, nearest first. */
function nearestRows(
  sql: Sql,
  { vector, fingerprint, scope }: VectorQuestion,
  rows: number,
): Promise<number[]> {
  return firstKeys(sql, selectNearest, [
    blobOf(vector),
    fingerprint,
    ...scopeValues(scope),
    rows,
    vector.length,
  ]);
}

/** The parameters ?3 to ?11 of `selectNearest`. */
function scopeValues(scope: SearchScope): SqlValue[] {
  const { projectKeys, includeWithoutProject, kinds, since, until, now } = scope;
  const list = (values: readonly string[] | undefined) =>
    values === undefined ? null : JSON.stringify(values);
  return [
    now,
    since ?? null,
    until ?? null,
    list(kinds),
    ...agentValues(scope),
    list(projectKeys),
    includeWithoutProject === true ? JSON.stringify(kindsBeyondProjects) : "[]",
  ];
}

/**
 * The WHERE clause is `isInScope` in SQL. Of equally near documents the newer one comes first; the id is part of the
 * sort key for that, because a second sort key would cost a fifth of the time.
 */
const selectNearest = `WITH query AS MATERIALIZED (SELECT vector8(?1) AS code)
SELECT document_id AS id FROM vector_codes
WHERE fingerprint = ?2 AND dimensions = ?13
  AND (hidden_after IS NULL OR hidden_after > ?3)
  AND (?4 IS NULL OR created_at >= ?4)
  AND (?5 IS NULL OR created_at <= ?5)
  AND (?6 IS NULL OR kind IN (SELECT value FROM json_each(?6)))
  AND (?7 OR CASE WHEN agent_id IS NULL THEN ?9 ELSE agent_id IS ?8 END)
  AND (?10 IS NULL OR CASE WHEN project_key IS NULL THEN kind IN (SELECT value FROM json_each(?11))
    ELSE project_key IN (SELECT value FROM json_each(?10)) END)
ORDER BY vector_distance_cos(vector_codes.code, (SELECT code FROM query)) - document_id * 1e-12
LIMIT ?12`;

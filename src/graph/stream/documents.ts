import type { SearchHit } from "../../index/hits.ts";
import { agentValues, isInScope, type SearchScope } from "../../index/scope.ts";
import type { SearchQuestion } from "../../index/search-streams.ts";
import { exactNumber, packed, packedRows } from "../../store/packed-rows.ts";
import type { Sql } from "../../store/sql.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import type { ReachedNode } from "./best-first.ts";

const mostLinks = 200;
const newestOfNode = 50;
/** Links read per node when the scope admits only some sources, to find those. */
const lookedAtOfNode = 500;
const othersShare = 0.1;
/** The kinds of sources that nodes have. */
const sourceKinds = ["observation", "memory"] as const;

interface Found {
  readonly kind: string;
  readonly ref: string;
  best: number;
  sum: number;
}

/**
 * Sources of the reached nodes, best first. A source scores its best node's score plus a tenth of the sum of the
 * others.
 */
export async function documentsOf(
  sql: Sql,
  reached: AsyncIterable<readonly ReachedNode[]>,
  { scope, limit }: Pick<SearchQuestion, "scope" | "limit">,
): Promise<SearchHit[]> {
  const found = await sourcesOf(sql, reached, scope);
  const ranked = [...found.values()]
    .map(({ kind, ref, best, sum }) => ({ kind, ref, score: best + othersShare * (sum - best) }))
    .sort((a, b) => b.score - a.score || compareTexts(b.ref, a.ref));
  const hits: SearchHit[] = [];
  for (let at = 0; at < ranked.length && hits.length < limit; at += limit) {
    hits.push(...(await readHits(sql, ranked.slice(at, at + limit), scope)));
  }
  return hits.slice(0, limit);
}

async function sourcesOf(
  sql: Sql,
  reached: AsyncIterable<readonly ReachedNode[]>,
  scope: SearchScope,
): Promise<Map<number, Found>> {
  const found = new Map<number, Found>();
  const letsAllThrough = sourceKinds.every((kind) => scope.kinds?.includes(kind) ?? true);
  const kinds = letsAllThrough ? null : JSON.stringify(scope.kinds);
  const args = [kinds, ...agentValues(scope)];
  const perNode = kinds === null && scope.agent === undefined ? newestOfNode : lookedAtOfNode;
  let links = 0;
  for await (const nodes of reached) {
    if (nodes.length === 0) continue;
    const rows = await packedRows<SourceFields>(sql, newestSources, [
      JSON.stringify(nodes.map(({ key }) => key)),
      ...args,
      perNode,
      mostLinks - links,
    ]);
    links += rows.length;
    for (const [place, source, kind, ref] of rows) {
      const score = nodes[place]?.score ?? 0;
      const known = found.get(source);
      if (known === undefined) {
        found.set(source, { kind, ref, best: score, sum: score });
      } else {
        known.best = Math.max(known.best, score);
        known.sum += score;
      }
    }
    if (links >= mostLinks) break;
  }
  return found;
}

/** Index of the node in the list given, and one of its sources. */
type SourceFields = readonly [place: number, source: number, kind: string, ref: string];

const newestSources = packed(
  ["place", "source", "kind", "ref"],
  `SELECT n.key AS place, s.key AS source, s.kind, s.ref FROM json_each(?1) AS n CROSS JOIN graph_sources AS s
  WHERE s.key IN (SELECT source FROM graph_node_links WHERE node = n.value ORDER BY source DESC LIMIT ?6)
    AND (?2 IS NULL OR s.kind IN (SELECT value FROM json_each(?2)))
    AND (?3 = 1 OR s.agent_id = ?4 OR (?5 = 1 AND s.agent_id IS NULL))
  LIMIT ?7`,
);

async function readHits(
  sql: Sql,
  ranked: readonly { readonly kind: string; readonly ref: string; readonly score: number }[],
  scope: SearchScope,
): Promise<SearchHit[]> {
  const rows = await packedRows<HitFields>(sql, documentsByRef, [
    JSON.stringify(ranked.map(({ kind, ref }) => [kind, ref])),
  ]);
  const hits: SearchHit[] = [];
  for (const [place, id, sessionId, createdAt, importance, projectKey, agentId, hiddenAfter] of rows) {
    const found = ranked[place];
    if (found === undefined) continue;
    const { kind, ref, score } = found;
    if (!isInScope(scope, { kind, projectKey, agentId, createdAt, hiddenAfter })) continue;
    hits.push({ id, kind, ref, sessionId, createdAt, importance, score });
  }
  return hits;
}

/** Index of the source in the list given, and fields of its document. */
type HitFields = readonly [
  place: number,
  id: number,
  sessionId: string | null,
  createdAt: number,
  importance: number,
  projectKey: string | null,
  agentId: string | null,
  hiddenAfter: number | null,
];

const documentsByRef = packed(
  [
    "place",
    "id",
    "session_id",
    "created_at",
    exactNumber("importance"),
    "project_key",
    "agent_id",
    "hidden_after",
  ],
  `SELECT r.key AS place, d.id, d.session_id, d.created_at, d.importance, d.project_key, d.agent_id, d.hidden_after
  FROM json_each(?) AS r CROSS JOIN documents AS d
    ON d.kind = json_extract(r.value, '$[0]') AND d.ref = json_extract(r.value, '$[1]')`,
);

import type { View } from "../../capture/sessions/view.ts";
import { ofProjectsOrAll } from "../../store/of-projects.ts";
import type { Paging } from "../../store/page.ts";
import type { Sql } from "../../store/sql.ts";
import type { NodeType } from "../record.ts";
import { foldedName, identityOf } from "../storage/names.ts";
import { edgesAmong, type Member } from "./edges-among.ts";
import { isSharedWithUnseen, visibleTo } from "./visibility.ts";

interface MatchRequest extends View, Paging {
  readonly type: NodeType | undefined;
  readonly query: string | undefined;
}

interface Matches {
  readonly page: readonly Member[];
  readonly totalNodes: number;
  readonly totalEdges: number;
}

/**
 * One page of the nodes that match, by degree, highest first; with a query, those with the nearest names come first.
 */
export async function findMatches(sql: Sql, request: MatchRequest): Promise<Matches> {
  if (request.query === undefined && request.filter.kind === "everyone") return countedMatches(sql, request);
  const all = await allMatches(sql, request);
  return {
    page: all.slice(request.offset, request.offset + request.limit),
    totalNodes: all.length,
    totalEdges: (await edgesAmong(sql, all, request.filter)).length,
  };
}

async function allMatches(
  sql: Sql,
  { keys: projectKeys, type, query, filter }: MatchRequest,
): Promise<readonly Member[]> {
  const seen = visibleTo(filter, "node", "n.key");
  const keys = projectKeys === undefined ? null : JSON.stringify(projectKeys);
  const conditions = `n.stale = 0 AND (?1 IS NULL OR n.project_key IN (SELECT value FROM json_each(?1)))
    AND (?2 IS NULL OR n.type = ?2)`;
  const seenText = numbered(seen.text);
  const agent = seen.args[0] ?? null;
  if (query === undefined) {
    return sql.all<Member>(
      `SELECT n.key, n.degree FROM graph_nodes AS n
       WHERE ${conditions}${seenText} ORDER BY n.degree DESC, n.key`,
      [keys, type ?? null, agent],
    );
  }
  const rows = await sql.all<NamedRow>(
    `SELECT n.key, n.degree, n.type, n.name, m.identity,
       CASE WHEN m.folded = ?4 THEN 0 WHEN substr(m.folded, 1, length(?4)) = ?4 THEN 1 ELSE 2 END AS nearness,
       ${numbered(isSharedWithUnseen(filter))} AS isShared
     FROM graph_names AS m CROSS JOIN graph_nodes AS n ON n.key = m.node
     WHERE instr(m.folded, ?4) > 0 AND ${conditions}${seenText}
     ORDER BY nearness, n.degree DESC, n.key`,
    [keys, type ?? null, agent, foldedName(query)],
  );
  const found = new Map<number, Member>();
  for (const { key, degree, isShared, identity, ...node } of rows) {
    // An alias may come from a row that the agent may not see, so such a node is only found by its own name.
    if (isShared === 1 && identity !== identityOf(node.type, node.name)) continue;
    // A node may match by several names; rows are ordered, so the first is the nearest.
    if (!found.has(key)) found.set(key, { key, degree });
  }
  return [...found.values()];
}

/** Numbers the placeholders of a clause all of whose arguments are the agent, which is the third argument. */
function numbered(text: string): string {
  return text.replaceAll("?", "?3");
}

interface NamedRow extends Member {
  readonly type: NodeType;
  readonly name: string;
  readonly identity: string;
  readonly isShared: number;
}

/** Without a query and an agent filter the totals come from stored counts, and only the page is read. */
async function countedMatches(sql: Sql, request: MatchRequest): Promise<Matches> {
  const { type, limit, offset } = request;
  const keys = request.keys === undefined ? null : JSON.stringify(request.keys);
  const args = [keys, type ?? null, limit, offset];
  const busy = await sql.all<Member>(busiestNodes, args);
  const page = busy.length === limit ? busy : await sql.all<Member>(nodesByDegree, args);
  const [[nodes, edges] = []] = await sql.values(totals, [keys, type ?? null]);
  return { page, totalNodes: Number(nodes ?? 0), totalEdges: Number(edges ?? 0) };
}

const pageOf = (more: string) => `SELECT key, degree FROM graph_nodes
  WHERE stale = 0 AND ${ofProjectsOrAll} AND (?2 IS NULL OR type = ?2)${more}
  ORDER BY degree DESC, key LIMIT ?3 OFFSET ?4`;
/** Uses the partial index `graph_nodes_busy`. Its rows are the first of `nodesByDegree`. */
const busiestNodes = pageOf(" AND degree >= 8");
const nodesByDegree = pageOf("");
const totals = `SELECT
  (SELECT sum(n) FROM graph_counts WHERE what = 'node' AND stale = 0 AND ${ofProjectsOrAll} AND (?2 IS NULL OR type = ?2)),
  (SELECT sum(n) FROM graph_counts WHERE what = 'edge' AND stale = 0 AND ${ofProjectsOrAll} AND (?2 IS NULL OR ends = ?2))`;

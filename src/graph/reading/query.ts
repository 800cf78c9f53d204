import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes } from "../../capture/sessions/agent-scope.ts";
import { requestedView, type View, type ViewRequest } from "../../capture/sessions/view.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Paging } from "../../store/page.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import type { QueryAnswer } from "../answers.ts";
import type { GraphEdge, GraphNode, NodeType } from "../record.ts";
import { walkBreadthFirst } from "./breadth-first.ts";
import { edgesAmong, type Member, strongest } from "./edges-among.ts";
import { findMatches } from "./matches.ts";
import { edgeRecords, nodeRecords } from "./records.ts";
import { readSnapshot, snapshotNodes } from "./snapshot.ts";
import { visibleTo } from "./visibility.ts";

export interface QueryInput extends ViewRequest, Paging {
  readonly startNodeId?: string | undefined;
  readonly nodeType?: NodeType | undefined;
  readonly query?: string | undefined;
  readonly maxDepth: number;
  readonly maxSources: number;
}

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
}

/** One page of what was asked for, before its rows are read. */
interface Page {
  readonly members: readonly Member[];
  /** Keys of the page's edges, when the page comes from the snapshot. */
  readonly edges?: readonly number[];
  readonly depth: number;
  readonly totalNodes: number;
  readonly totalEdges: number;
  /** Whether the walk ended before it had visited everything within reach. */
  readonly isCut: boolean;
}

const mostEdges = 20_000;

/** Nodes and edges: around a node, by name, by type, or the busiest. Error: not_found for an unknown start. */
export async function queryGraph(sql: Sql, services: Services, input: QueryInput): Promise<QueryAnswer> {
  const view = await requestedView(sql, services, input);
  const { filter } = view;
  const page =
    input.startNodeId === undefined
      ? await matchesPage(sql, input, view)
      : await walkPage(sql, { ...input, startNodeId: input.startNodeId }, view);
  const keys = page.members.map(({ key }) => key);
  const edges = page.edges ?? strongest(await edgesAmong(sql, page.members, filter), mostEdges);
  const nodes = await nodeRecords(sql, keys, filter);
  const ids = new Set(nodes.map(({ id }) => id));
  const records = await edgeRecords(sql, edges, filter);
  return {
    nodes: nodes.map((node) => withNewestSources(node, input.maxSources)),
    edges: records
      .filter(
        ({ stale, sourceNodeId, targetNodeId }) =>
          stale !== true && ids.has(sourceNodeId) && ids.has(targetNodeId),
      )
      .map((edge) => withNewestSources(edge, input.maxSources)),
    depth: page.depth,
    totalNodes: page.totalNodes,
    totalEdges: page.totalEdges,
    truncated: page.isCut || input.offset + keys.length < page.totalNodes,
    limit: input.limit,
    offset: input.offset,
    ...(page.edges === undefined ? {} : { fromSnapshot: true }),
  };
}

async function walkPage(
  sql: Sql,
  input: QueryInput & { readonly startNodeId: string },
  { keys, filter }: View,
): Promise<Page> {
  const seen = visibleTo(filter, "node", "n.key");
  const start = await firstRow<{ key: number; projectKey: string; stale: number }>(
    sql,
    `SELECT n.key, n.project_key AS projectKey, n.stale FROM graph_nodes AS n WHERE n.id = ?${seen.text}`,
    [input.startNodeId, ...seen.args],
  );
  const isOutside = keys !== undefined && !keys.includes(start?.projectKey ?? "");
  if (start === undefined || start.stale === 1 || isOutside) {
    throw new MemsvcError("not_found", `graph node ${input.startNodeId} is not known`, {
      hint: "find it by its name: memsvc graph query <text>",
    });
  }
  const { visited, isCut } = await walkBreadthFirst(sql, start.key, input.maxDepth, filter);
  const { nodeType } = input;
  const matching =
    nodeType === undefined
      ? visited
      : visited.filter(({ key, type }) => type === nodeType || key === start.key);
  return {
    members: matching.slice(input.offset, input.offset + input.limit),
    depth: input.maxDepth,
    totalNodes: matching.length,
    totalEdges: (await edgesAmong(sql, matching, filter)).length,
    isCut,
  };
}

async function matchesPage(sql: Sql, input: QueryInput, view: View): Promise<Page> {
  const { nodeType: type, query, limit, offset } = input;
  const matches = await findMatches(sql, { ...view, type, query, limit, offset });
  const { totalNodes, totalEdges } = matches;
  const page = { depth: 0, totalNodes, totalEdges, isCut: false };
  const isPlain = type === undefined && query === undefined && view.keys === undefined;
  const snapshot = isPlain && view.filter.kind === "everyone" ? await readSnapshot(sql) : undefined;
  // An outdated snapshot only serves when it is full: one of a smaller graph would lack nodes that came since.
  const serves =
    snapshot !== undefined &&
    offset === 0 &&
    snapshot.nodes.length === Math.min(limit, totalNodes) &&
    (snapshot.changes === 0 || snapshot.nodes.length === snapshotNodes);
  if (!serves) return { ...page, members: matches.page };
  return { ...page, members: await presentMembers(sql, snapshot.nodes), edges: snapshot.edges };
}

/** Nodes of the snapshot that are still there. */
function presentMembers(sql: Sql, keys: readonly number[]): Promise<Member[]> {
  return sql.all<Member>(
    `SELECT n.key, n.degree FROM json_each(?) AS k CROSS JOIN graph_nodes AS n ON n.key = k.value WHERE n.stale = 0`,
    [JSON.stringify(keys)],
  );
}

function withNewestSources<Row extends GraphNode | GraphEdge>(row: Row, most: number): Row {
  return { ...row, sourceObservationIds: row.sourceObservationIds.slice(0, most) };
}

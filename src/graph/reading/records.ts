import type { AgentFilter } from "../../capture/sessions/agent-scope.ts";
import { timeText } from "../../operation/fields.ts";
import { objectIn, textsIn } from "../../store/json-columns.ts";
import type { Sql } from "../../store/sql.ts";
import { EdgeType, type GraphEdge, type GraphNode, type LayerOrigin, NodeType } from "../record.ts";
import { edgeWeight, shownWeight } from "../weight.ts";
import { seenDegree, seenSources } from "./visibility.ts";

interface StoredRow {
  readonly id: string;
  readonly type: string;
  readonly properties: string | null;
  readonly origin: LayerOrigin;
  readonly stale: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly refs: string;
  readonly sourceCount: number;
  readonly seenCount: number;
}

interface NodeRow extends StoredRow {
  readonly key: number;
  readonly name: string;
  readonly project: string | null;
  readonly aliases: string;
  readonly degree: number;
}

/** Nodes by key, in the order of the keys, with those of their sources that the filter admits. */
export async function nodeRecords(
  sql: Sql,
  keys: readonly number[],
  filter: AgentFilter,
): Promise<GraphNode[]> {
  const sources = seenSources(filter, "node", "n");
  const degree = seenDegree(filter);
  const rows = await sql.all<NodeRow>(
    `SELECT n.key, n.id, n.type, n.name, n.project, n.aliases, n.properties, n.origin, n.stale, ${degree.text},
       n.source_count AS sourceCount, n.created_at AS createdAt, n.updated_at AS updatedAt, ${sources.text}
     FROM json_each(?) AS k CROSS JOIN graph_nodes AS n ON n.key = k.value`,
    [...degree.args, ...sources.args, JSON.stringify(keys)],
  );
  return rows.map((row) => ({
    id: row.id,
    type: NodeType.parse(row.type),
    name: row.name,
    ...(row.project === null ? {} : { project: row.project }),
    properties: isSeenWhole(row) ? object(row.properties) : {},
    aliases: isSeenWhole(row) ? textsIn(row.aliases) : [],
    degree: row.degree,
    ...sharedFields(row),
  }));
}

interface EdgeRow extends StoredRow {
  readonly sourceNodeId: string;
  readonly targetNodeId: string;
  readonly givenWeight: number | null;
  readonly structural: number;
}

/** Edges by key, in the order of the keys. */
export async function edgeRecords(
  sql: Sql,
  keys: readonly number[],
  filter: AgentFilter,
): Promise<GraphEdge[]> {
  const sources = seenSources(filter, "edge", "e");
  const rows = await sql.all<EdgeRow>(
    `SELECT e.id, e.type, a.id AS sourceNodeId, b.id AS targetNodeId, e.given_weight AS givenWeight, e.structural,
       e.source_count AS sourceCount, e.properties, e.origin, e.stale, e.created_at AS createdAt,
       e.updated_at AS updatedAt, ${sources.text}
     FROM json_each(?) AS k CROSS JOIN graph_edges AS e ON e.key = k.value
       CROSS JOIN graph_nodes AS a ON a.key = e.source CROSS JOIN graph_nodes AS b ON b.key = e.target`,
    [...sources.args, JSON.stringify(keys)],
  );
  return rows.map((row) => ({
    id: row.id,
    type: EdgeType.parse(row.type),
    sourceNodeId: row.sourceNodeId,
    targetNodeId: row.targetNodeId,
    weight: shownWeight(edgeWeight({ ...row, sourceCount: weighedBy(row, filter) })),
    ...(row.properties === null || !isSeenWhole(row) ? {} : { properties: object(row.properties) }),
    ...sharedFields(row),
  }));
}

/** Whether the caller may see all sources of a node or an edge. */
function isSeenWhole({ sourceCount, seenCount }: StoredRow): boolean {
  return sourceCount <= seenCount;
}

/** The number of sources that counts for the weight: sources that the caller may not see do not show in it. */
function weighedBy(row: EdgeRow, filter: AgentFilter): number {
  return filter.kind === "everyone" ? row.sourceCount : row.seenCount;
}

function sharedFields(row: StoredRow) {
  return {
    sourceObservationIds: textsIn(row.refs),
    sourceCount: row.seenCount,
    origin: row.origin,
    ...(row.stale === 1 ? { stale: true } : {}),
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  };
}

function object(json: string | null): Record<string, unknown> {
  return json === null ? {} : objectIn(json);
}

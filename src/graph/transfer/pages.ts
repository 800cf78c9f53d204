import type { Sql } from "../../store/sql.ts";
import { edgeRecords, nodeRecords } from "../reading/records.ts";
import type { GraphEdge, GraphNode } from "../record.ts";

/** So few because a row names all of its sources. */
const pageSize = 50;
const everyone = { kind: "everyone" } as const;

/** Nodes as an export holds them, with what their project is kept under, the oldest first. */
export async function* nodePages(sql: Sql): AsyncGenerator<string[]> {
  for await (const rows of hiddenPages(sql, nodesAfter)) {
    const records = await nodeRecords(sql, [...rows.keys()], everyone);
    const byId = new Map([...rows.values()].map((row) => [row.id, row]));
    yield records.map((record) => {
      const hidden = byId.get(record.id);
      const projectKey = hidden?.projectKey ?? "";
      return rowText({ ...record, ...(projectKey === "" ? {} : { projectKey }) }, hidden);
    });
  }
}

/** Edges as an export holds them, with what their weight is computed from, the oldest first. */
export async function* edgePages(sql: Sql): AsyncGenerator<string[]> {
  for await (const rows of hiddenPages(sql, edgesAfter)) {
    const records = await edgeRecords(sql, [...rows.keys()], everyone);
    const byId = new Map([...rows.values()].map((row) => [row.id, row]));
    yield records.map((record) => {
      const hidden = byId.get(record.id);
      const givenWeight = hidden?.givenWeight ?? null;
      const weight = {
        structural: hidden?.structural === 1,
        ...(givenWeight === null ? {} : { givenWeight }),
      };
      return rowText({ ...record, ...weight }, hidden);
    });
  }
}

/** What answers do not show. */
interface Hidden {
  readonly key: number;
  readonly id: string;
  /** All sources, where answers show the newest. */
  readonly refs: string;
  readonly projectKey: string;
  readonly givenWeight: number | null;
  readonly structural: number;
}

async function* hiddenPages(sql: Sql, text: string): AsyncGenerator<Map<number, Hidden>> {
  for (let last = 0; ; ) {
    const rows = await sql.all<Hidden>(text, [last, pageSize]);
    if (rows.length === 0) return;
    yield new Map(rows.map((row) => [row.key, row]));
    last = rows.at(-1)?.key ?? last;
  }
}

/** The list of sources is JSON already, and may be long. */
function rowText(record: GraphNode | GraphEdge, hidden: Hidden | undefined): string {
  const { sourceObservationIds: _newest, ...rest } = record;
  return `${JSON.stringify(rest).slice(0, -1)},"sourceObservationIds":${hidden?.refs ?? "[]"}}`;
}

const refsIn = (
  what: "node" | "edge",
) => `(SELECT json_group_array(ref) FROM (SELECT s.ref FROM graph_${what}_links AS l
    CROSS JOIN graph_sources AS s ON s.key = l.source WHERE l.${what} = r.key ORDER BY l.source DESC)) AS refs`;
const nodesAfter = `SELECT key, id, ${refsIn("node")}, project_key AS projectKey, NULL AS givenWeight, 0 AS structural
  FROM graph_nodes AS r WHERE key > ? ORDER BY key LIMIT ?`;
const edgesAfter = `SELECT key, id, ${refsIn("edge")}, '' AS projectKey, given_weight AS givenWeight, structural
  FROM graph_edges AS r WHERE key > ? ORDER BY key LIMIT ?`;

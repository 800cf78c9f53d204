import type { Sql } from "../../store/sql.ts";
import type { LayerOrigin } from "../record.ts";

interface CountedRow {
  readonly projectKey: string | null;
  readonly type: string;
}

export interface CountedKind {
  readonly origin: LayerOrigin;
  readonly stale?: boolean;
}

/** Counts rows that come in; triggers count those that go or change. */
export async function countIn(
  sql: Sql,
  { origin, stale = false }: CountedKind,
  nodes: readonly CountedRow[],
  edges: readonly (CountedRow & { readonly ends: string })[],
): Promise<void> {
  const counts = new Map<string, number>();
  const add = (...kind: string[]) => {
    const key = JSON.stringify(kind);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const { projectKey, type } of nodes) add("node", projectKey ?? "", type, "");
  for (const { projectKey, type, ends } of edges) add("edge", projectKey ?? "", type, ends);
  if (counts.size === 0) return;
  const rows = [...counts].map(([key, n]) => [...(JSON.parse(key) as string[]), n]);
  await sql.run(
    `INSERT OR FAIL INTO graph_counts (what, project_key, type, origin, stale, ends, n, moves)
     SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), ?2, ?3,
       json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[4]')
     FROM json_each(?1) WHERE true
     ON CONFLICT (what, project_key, type, origin, stale, ends)
     DO UPDATE SET n = n + excluded.n, moves = moves + excluded.moves`,
    [JSON.stringify(rows), origin, stale ? 1 : 0],
  );
}

/** How many of the edges begin or end at each node. */
export function degreesOf(
  edges: readonly { readonly source: number; readonly target: number }[],
): Map<number, number> {
  const byNode = new Map<number, number>();
  for (const { source, target } of edges) {
    for (const end of [source, target]) byNode.set(end, (byNode.get(end) ?? 0) + 1);
  }
  return byNode;
}

/** Adds to the degrees of stored nodes, by key. */
export async function raiseDegrees(sql: Sql, raises: Iterable<readonly [number, number]>): Promise<void> {
  const rows = [...raises].filter(([, by]) => by > 0);
  if (rows.length === 0) return;
  await sql.run(
    `UPDATE OR FAIL graph_nodes SET degree = degree + json_extract(j.value, '$[1]')
     FROM json_each(?) AS j WHERE graph_nodes.key = json_extract(j.value, '$[0]')`,
    [JSON.stringify(rows)],
  );
}

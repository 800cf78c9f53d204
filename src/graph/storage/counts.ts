import type { Sql } from "../../store/sql.ts";
import type { LayerOrigin } from "../record.ts";
import type { ThingKind } from "./thing-kind.ts";

interface CountedRow {
  readonly projectKey: string | null;
  readonly type: string;
}

export interface CountedKind {
  readonly origin: LayerOrigin;
  readonly stale?: boolean;
}

/** Adds new rows to the stored counts; triggers count rows that are deleted or changed. */
export async function countIn(
  sql: Sql,
  { origin, stale = false }: CountedKind,
  nodes: readonly CountedRow[],
  edges: readonly (CountedRow & { readonly ends: string })[],
): Promise<void> {
  const counts = new Map<string, [what: string, projectKey: string, type: string, ends: string, n: number]>();
  const add = (what: ThingKind, projectKey: string, type: string, ends: string) => {
    // Types are single words, so the key is unambiguous.
    const key = `${what} ${type} ${ends} ${projectKey}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, [what, projectKey, type, ends, 1]);
    else known[4] += 1;
  };
  for (const { projectKey, type } of nodes) add("node", projectKey ?? "", type, "");
  for (const { projectKey, type, ends } of edges) add("edge", projectKey ?? "", type, ends);
  if (counts.size === 0) return;
  await sql.run(
    `INSERT OR FAIL INTO graph_counts (what, project_key, type, origin, stale, ends, n, moves)
     SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), ?2, ?3,
       json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[4]')
     FROM json_each(?1) WHERE true
     ON CONFLICT (what, project_key, type, origin, stale, ends)
     DO UPDATE SET n = n + excluded.n, moves = moves + excluded.moves`,
    [JSON.stringify([...counts.values()]), origin, stale ? 1 : 0],
  );
}

/** How many of the edges begin or end at each node, by the node's key. */
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
export async function raiseDegrees(sql: Sql, raises: ReadonlyMap<number, number>): Promise<void> {
  if (raises.size === 0) return;
  // json_each gives an object's keys and values as columns; a list of pairs would need json_extract for each pair.
  await sql.run(
    `UPDATE OR FAIL graph_nodes SET degree = degree + j.value
     FROM json_each(?) AS j WHERE graph_nodes.key = CAST(j.key AS INTEGER)`,
    [JSON.stringify(Object.fromEntries(raises))],
  );
}

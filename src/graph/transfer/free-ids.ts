import type { Writing } from "../../governance/transfer/collection.ts";

/** The ids that rows of a file have, with new ones in the place of those that are taken. */
export async function freeIds(
  { tx, ground }: Writing,
  what: "node" | "edge",
  wanted: readonly string[],
): Promise<string[]> {
  const rows = await tx.sql.values(takenIds[what], [JSON.stringify(wanted)]);
  const taken = new Set(rows.map(([id]) => String(id)));
  return wanted.map((id) => {
    const free = taken.has(id) ? ground.newId(what === "node" ? "graphNode" : "graphEdge") : id;
    taken.add(id);
    return free;
  });
}

const takenIds = {
  node: "SELECT id FROM graph_nodes WHERE id IN (SELECT value FROM json_each(?))",
  edge: "SELECT id FROM graph_edges WHERE id IN (SELECT value FROM json_each(?))",
} as const;

import type { Writing } from "../../governance/transfer/collection.ts";
import { firstColumn } from "../../store/sql.ts";
import type { ThingKind } from "../storage/thing-kind.ts";

/** The ids that rows of a file want, with new ids in place of those that are taken. */
export async function freeIds(
  { tx, ground }: Writing,
  what: ThingKind,
  wanted: readonly string[],
): Promise<string[]> {
  const taken = new Set(
    await firstColumn(tx.sql, `SELECT id FROM graph_${what}s WHERE id IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(wanted),
    ]),
  );
  return wanted.map((id) => {
    const free = taken.has(id) ? ground.newId(what === "node" ? "graphNode" : "graphEdge") : id;
    taken.add(id);
    return free;
  });
}

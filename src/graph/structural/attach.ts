import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { type NewSource, sourceKey } from "../storage/links.ts";
import { putLayer } from "../storage/put-layer.ts";
import { type RowTraits, structuralLayer } from "./extract.ts";

export interface AttachedRow extends RowTraits, NewSource {
  /** Project as it was given. */
  readonly project: string | null;
}

/** Ties a row that is being stored into the graph, by rules. Once is enough: a row that is in it stays as it is. */
export async function attachRow(
  tx: Pick<Transaction, "sql">,
  ground: Pick<Ground, "now" | "newId">,
  row: AttachedRow,
): Promise<void> {
  const { nodes, edges } = structuralLayer(row);
  const source = await sourceKey(tx.sql, row, "structural");
  if (source.marked || nodes.length === 0) return;
  await putLayer(tx.sql, ground, {
    origin: "structural",
    project: row.project,
    projectKey: row.projectKey,
    nodes,
    edges,
    sources: [source.key],
    fresh: source.fresh,
  });
}

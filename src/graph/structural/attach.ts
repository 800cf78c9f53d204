import type { Sql } from "../../store/sql.ts";
import type { LayerDraft } from "../storage/draft.ts";
import { type ClockAndIds, putLayers } from "../storage/put-layer.ts";
import { type NewSource, sourceKeys } from "../storage/sources.ts";
import { type RowTraits, structuralLayer } from "./extract.ts";

export interface AttachedRow extends RowTraits, NewSource {
  /** The project's name as the caller gave it. */
  readonly project: string | null;
}

/** Makes the structural layer of rows, by rules. Rows that already have theirs are passed over. */
export async function attachRows(sql: Sql, ground: ClockAndIds, rows: readonly AttachedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const sources = await sourceKeys(sql, rows, "structural");
  const layers = rows.flatMap((row, at): LayerDraft[] => {
    const source = sources[at];
    if (source === undefined || source.marked) return [];
    const { project, projectKey } = row;
    const { nodes, edges } = structuralLayer(row);
    const { key, fresh } = source;
    return [{ origin: "structural", project, projectKey, nodes, edges, sources: [key], fresh }];
  });
  if (layers.length > 0) await putLayers(sql, ground, "structural", layers);
}

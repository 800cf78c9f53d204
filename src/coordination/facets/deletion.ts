import type { Sql } from "../../store/sql.ts";
import type { FacetTarget } from "./record.ts";

/** Deletes the facets of records, in the transaction that deletes the records. */
export async function dropFacetsOf(sql: Sql, targetType: FacetTarget, ids: readonly string[]): Promise<void> {
  await sql.run(
    "DELETE FROM facets WHERE target_type = ? AND target_id IN (SELECT value FROM json_each(?))",
    [targetType, JSON.stringify(ids)],
  );
}

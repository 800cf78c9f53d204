import { writeTombstones } from "../../governance/retention/tombstones.ts";
import { changedAtSql } from "../../store/changed-at.ts";
import type { Transaction } from "../../store/store.ts";
import type { DerivedTable } from "./derived-tables.ts";

interface RemovedSources {
  readonly sourceIds: readonly string[];
  /** Only from rows with one of these values in the column. */
  readonly only?: { readonly column: string; readonly values: readonly string[] };
}

/**
 * Removes sources from derived rows and deletes rows that have none left. Returns the ids of the deleted
 * rows.
 */
export async function removeSources(
  tx: Transaction,
  { table, kind, sourceColumns }: DerivedTable,
  { sourceIds, only }: RemovedSources,
  now: number,
): Promise<string[]> {
  if (sourceIds.length === 0) return [];
  const left = (column: string) =>
    `(SELECT json_group_array(value) FROM (SELECT value FROM json_each(${column}) WHERE value NOT IN removed ORDER BY key))`;
  const names = (column: string) => `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value IN removed)`;
  const among = only === undefined ? "" : ` AND ${only.column} IN (SELECT value FROM json_each(?3))`;
  const rows = await tx.sql.all<{ id: string; projectKey: string | null; updatedAt: number; isBare: number }>(
    `WITH removed(id) AS MATERIALIZED (SELECT value FROM json_each(?1))
     UPDATE ${table} SET ${sourceColumns.map((column) => `${column} = ${left(column)}`).join(", ")},
       updated_at = ${changedAtSql("?2")}
     WHERE (${sourceColumns.map(names).join(" OR ")})${among}
     RETURNING id, project_key AS projectKey, updated_at AS updatedAt,
       ${sourceColumns.map((column) => `${column} = '[]'`).join(" AND ")} AS isBare`,
    [JSON.stringify(sourceIds), now, ...(only === undefined ? [] : [JSON.stringify(only.values)])],
  );
  const gone = rows.filter(({ isBare }) => isBare === 1);
  const goneIds = gone.map(({ id }) => id);
  await tx.sql.run(`DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`, [
    JSON.stringify(goneIds),
  ]);
  await writeTombstones(tx.sql, kind, gone, now);
  return goneIds;
}

import type { ExportPage } from "../../governance/transfer/collection.ts";
import type { Sql } from "../../store/sql.ts";
import type { Cursor } from "./cursor.ts";
import type { ExchangedTable } from "./exchanged-tables.ts";
import type { MeshArray } from "./scope-names.ts";

/** The beginning of an array or, with `rows`, some of its rows: JSON records with commas between them. */
export interface Part {
  readonly array: MeshArray;
  readonly rows?: {
    readonly page: ExportPage;
    /** The position after these rows; has to be asked for before the next part is read. */
    readonly end: () => Promise<Cursor>;
    /** Whether a body may end here; false when later parts have to be in the same body. */
    readonly mayBeLast: boolean;
  };
}

/** A page of a table as a part. */
export function partOf(sql: Sql, one: ExchangedTable, page: ExportPage, mayBeLast: boolean): Part {
  return { array: one.array, rows: { page, end: () => endOf(sql, one, page), mayBeLast } };
}

/** The position after the last row of a page. */
async function endOf(sql: Sql, one: ExchangedTable, page: ExportPage): Promise<Cursor> {
  const id = rowsIn<{ readonly id: string }>(page).at(-1)?.id ?? "";
  if (one.orderedBy === "id") return { array: one.array, key: [id] };
  const [[key = 0] = []] = await sql.values(`SELECT key FROM ${one.table} WHERE id = ?`, [id]);
  return { array: one.array, key: [Number(key)] };
}

/** The records of a page. */
export function rowsIn<Row>(page: ExportPage): readonly Row[] {
  const text = typeof page === "string" ? page : Buffer.from(page).toString();
  // The page is JSON that an export collection wrote, one record after another.
  return JSON.parse(`[${text}]`) as readonly Row[];
}

import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Paged, type Paging, pageOf, rowsOf, type Selection } from "./page.ts";
import type { Store } from "./store.ts";

/** Rows read at once; that many block the event loop for a few milliseconds. */
const rowsAtOnce = 500;

/**
 * pageOf for lists with a limit in the thousands. From a file, many rows are read in parts of one view, which shows one
 * moment. From a server they are read at once, because each part would be another round trip.
 */
export async function longPageOf<Table extends SQLiteTable>(
  store: Pick<Store, "read" | "openView" | "isFile">,
  table: Table,
  selection: Selection,
  paging: Paging,
): Promise<Paged & { readonly rows: Table["$inferSelect"][] }> {
  const { limit, offset } = paging;
  if (!store.isFile || limit <= rowsAtOnce) return pageOf(store.read, table, selection, paging);
  const present = await store.read.orm.$count(table, selection.where);
  if (present - offset <= rowsAtOnce) return pageOf(store.read, table, selection, paging);
  const view = await store.openView();
  try {
    const total = await view.orm.$count(table, selection.where);
    const rows: Table["$inferSelect"][] = [];
    const most = Math.min(limit, total - offset);
    for (let from = 0; from < most; from += rowsAtOnce) {
      const part = { limit: Math.min(most - from, rowsAtOnce), offset: offset + from };
      rows.push(...(await rowsOf(view, table, selection, part)));
    }
    return { rows, total, offset, limit };
  } finally {
    await view.close();
  }
}

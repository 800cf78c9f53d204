import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Paged, type Paging, pageOf, rowsOf, type Selection } from "./page.ts";
import type { Store } from "./store.ts";

/** So many rows keep the event loop for some milliseconds while they are read. */
const rowsAtOnce = 500;

/**
 * pageOf for lists whose limit is in the thousands. Many rows of a file are read in parts, as they all are at one moment; a
 * server is waited for, and each part would be waited for anew.
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

import type { Terminal } from "../terminal/terminal.ts";
import { type Field, inColumns } from "./columns.ts";
import { moreAfter, type Page } from "./quantity.ts";

/** A page of a list, one row per record in columns, followed by the number of further records. */
export function pageLines<Row>(
  page: Page,
  records: readonly Row[],
  terminal: Terminal,
  fieldsOf: (record: Row) => readonly Field[],
): string {
  const rows = records.map((record) => fieldsOf(record));
  return [...inColumns(rows, terminal), ...moreAfter(page, records, terminal.paint)].join("\n");
}

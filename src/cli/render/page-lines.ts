import type { Terminal } from "../terminal/terminal.ts";
import { type Field, inColumns } from "./columns.ts";
import { moreAfter, type Page } from "./quantity.ts";

/** A page of a list in columns, a record each, and below it how many come after. */
export function pageLines<Row>(
  page: Page,
  records: readonly Row[],
  terminal: Terminal,
  fieldsOf: (record: Row) => readonly Field[],
): string {
  const rows = records.map((record) => fieldsOf(record));
  return [...inColumns(rows, terminal), ...moreAfter(page, records, terminal.paint)].join("\n");
}

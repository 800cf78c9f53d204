import type { Terminal } from "../terminal/terminal.ts";
import { type Field, inColumns } from "./columns.ts";
import { moreAfter, type Page } from "./quantity.ts";

/**
 * A page of a list, one row per record in columns, followed by the number of further records; `nothing` if it has no
 * record.
 */
export function pageLines<Row>(
  page: Page,
  records: readonly Row[],
  terminal: Terminal,
  nothing: string,
  fieldsOf: (record: Row) => readonly Field[],
): string {
  if (records.length === 0) return nothing;
  const rows = records.map(fieldsOf);
  return [...inColumns(rows, terminal), ...moreAfter(page, records, terminal.paint)].join("\n");
}

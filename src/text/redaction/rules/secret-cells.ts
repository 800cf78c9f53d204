import { noSpans, type Span } from "../rule.ts";
import { isSecretCell, type SecretColumn, secretColumn } from "./secret-columns.ts";
import type { Cell } from "./table-layout.ts";

const userName = /^(?:user|e?-?mail|login|account|benutzer)|(?:user|user[ _]?name|login|rolname)$/i;

/** Whether a column or field of this name contains users. */
export function namesUser(name: string): boolean {
  return userName.test(name);
}

/** The columns of a table, by their names. */
interface Columns {
  readonly kinds: readonly (SecretColumn | undefined)[];
  readonly besideUser: boolean;
}

/** The columns below a heading; undefined if none of them contains secrets. */
export function secretColumnsOf(heading: readonly string[]): Columns | undefined {
  const kinds = heading.map(secretColumn);
  if (heading.length < 2 || kinds.every((kind) => kind === undefined)) return undefined;
  return { kinds, besideUser: heading.some(namesUser) };
}

/** The secrets in the cells of a row. */
export function secretsInRow(cells: readonly Cell[], { kinds, besideUser }: Columns): readonly Span[] {
  return cells.flatMap((cell, place) => secretIn(cell, kinds[place], besideUser));
}

/** The secret in a cell of such a column. */
export function secretIn(cell: Cell, kind: SecretColumn | undefined, besideUser: boolean): readonly Span[] {
  if (kind === undefined || !isSecretCell(cell.text, kind, besideUser)) return noSpans;
  return [{ start: cell.start, end: cell.start + cell.text.length }];
}

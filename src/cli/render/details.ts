import type { Terminal } from "../terminal/terminal.ts";

/** Fields of a record with their names; undefined values are not known. */
export type DetailFields = readonly (readonly [name: string, value: string | undefined])[];

/** One line per field, without those that are undefined. */
export function detailLines(facts: DetailFields, paint: Terminal["paint"]): string[] {
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [`${paint.dim(`${name}:`)} ${value}`]));
}

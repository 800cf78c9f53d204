import type { Terminal } from "../terminal/terminal.ts";

/** What is known of a record, each by its name. */
export type DetailFields = readonly (readonly [name: string, value: string | undefined])[];

/** Facts a line each; what is not known has none. */
export function detailLines(facts: DetailFields, paint: Terminal["paint"]): string[] {
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [`${paint.dim(`${name}:`)} ${value}`]));
}

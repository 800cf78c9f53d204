import type { Terminal } from "../terminal/terminal.ts";

interface Told {
  readonly notes?: readonly string[];
  readonly warning?: string | undefined;
}

/** What became of one record, with what else there is to know below it; programs get its id alone. */
export function outcome(
  { paint, isForPeople }: Terminal,
  done: string,
  id: string,
  { notes = [], warning }: Told = {},
): string {
  if (!isForPeople) return id;
  return [
    `${paint.green(done)} ${id}`,
    ...notes.map((note) => paint.dim(`  ${note}`)),
    ...(warning === undefined ? [] : [paint.yellow(`  ${warning}`)]),
  ].join("\n");
}

import type { Terminal } from "../terminal/terminal.ts";

interface Notes {
  readonly notes?: readonly string[];
  readonly warning?: string | undefined;
}

/** The outcome for a record, with notes below it; programs get the id only. */
export function outcome(
  { paint, isForPeople }: Terminal,
  done: string,
  id: string,
  { notes = [], warning }: Notes,
): string {
  if (!isForPeople) return id;
  return [
    `${paint.green(done)} ${id}`,
    ...notes.map((note) => paint.dim(`  ${note}`)),
    ...(warning === undefined ? [] : [paint.yellow(`  ${warning}`)]),
  ].join("\n");
}

/* The mark at the end of the title of a command that failed: `npm test (exit 1)`. */

/** The mark for an exit code; "" for a command that did not fail. */
export function exitMarkFor(exitCode: number | undefined): string {
  return exitCode === undefined || exitCode === 0 ? "" : ` (exit ${exitCode})`;
}

const atEnd = /\s*\(exit -?\d+\)$/u;

/** The mark of a title, with the blank before it; "" if it has none. */
export function exitMarkOf(title: string): string {
  return atEnd.exec(title)?.[0] ?? "";
}

/** SQL condition: the title has such a mark. */
export const hasExitMarkSql = "title LIKE '% (exit %)'";

import type { Terminal } from "../terminal/terminal.ts";

/** A unified diff with its headings, additions and deletions in colour. */
export function colouredDiff(diff: string, paint: Terminal["paint"]): string {
  const lines = diff.split("\n").map((line) => {
    if (/^(?:---|\+\+\+) /u.test(line)) return paint.bold(line);
    if (line.startsWith("+")) return paint.green(line);
    return line.startsWith("-") ? paint.red(line) : line;
  });
  return lines.join("\n");
}

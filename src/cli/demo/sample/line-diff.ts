// A line diff by longest common subsequence: quadratic, which is fine for files of a hundred lines.

/** One line of a diff: " " kept, "-" removed, "+" added. */
export interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** A hunk as Claude Code reports it in `structuredPatch`; line numbers start at 1. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

const CONTEXT_LINES = 3;

/** The shortest list of kept, removed and added lines that turns `before` into `after`. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const next = linesOf(after);
  const common = commonLengths(old, next);
  const diff: DiffLine[] = [];
  let o = 0;
  let n = 0;
  while (o < old.length || n < next.length) {
    if (o < old.length && n < next.length && old[o] === next[n]) {
      diff.push({ sign: " ", text: old[o] ?? "" });
      o++;
      n++;
    } else if (o < old.length && (common[o + 1]?.[n] ?? 0) >= (common[o]?.[n + 1] ?? 0)) {
      diff.push({ sign: "-", text: old[o] ?? "" });
      o++;
    } else {
      diff.push({ sign: "+", text: next[n] ?? "" });
      n++;
    }
  }
  return diff;
}

/** The changed places of a diff with three lines of context, changes close to each other in one hunk. */
export function hunksOf(diff: readonly DiffLine[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  while (at < diff.length) {
    const change = diff.findIndex((line, index) => index >= at && line.sign !== " ");
    if (change === -1) break;
    let last = change;
    for (let i = change; i < diff.length && i <= last + 2 * CONTEXT_LINES; i++) {
      if (diff[i]?.sign !== " ") last = i;
    }
    const start = Math.max(at, change - CONTEXT_LINES);
    const end = Math.min(diff.length, last + 1 + CONTEXT_LINES);
    hunks.push(hunk(diff.slice(0, start), diff.slice(start, end)));
    at = end;
  }
  return hunks;
}

function hunk(preceding: readonly DiffLine[], lines: readonly DiffLine[]): Hunk {
  return {
    oldStart: countWithout(preceding, "+") + 1,
    oldLines: countWithout(lines, "+"),
    newStart: countWithout(preceding, "-") + 1,
    newLines: countWithout(lines, "-"),
    lines: lines.map((line) => line.sign + line.text),
  };
}

function countWithout(lines: readonly DiffLine[], sign: "-" | "+"): number {
  return lines.filter((line) => line.sign !== sign).length;
}

/** common[o][n] is the length of the longest common subsequence of old[o…] and next[n…]. */
function commonLengths(old: readonly string[], next: readonly string[]): readonly (readonly number[])[] {
  const rows: number[][] = [];
  rows[old.length] = new Array<number>(next.length + 1).fill(0);
  for (let o = old.length - 1; o >= 0; o--) {
    const row = new Array<number>(next.length + 1).fill(0);
    const below = rows[o + 1] ?? [];
    for (let n = next.length - 1; n >= 0; n--) {
      row[n] = old[o] === next[n] ? (below[n + 1] ?? 0) + 1 : Math.max(below[n] ?? 0, row[n + 1] ?? 0);
    }
    rows[o] = row;
  }
  return rows;
}

/** The lines of a text; the line break at its end starts no further line. */
export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

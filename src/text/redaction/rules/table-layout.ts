/*
 * Tables in text, one row per line: of psql, mysql and Markdown (ruled by `|`), of other programs (spaced), and CSV and
 * TSV (separated).
 */

type Layout =
  | { readonly kind: "ruled" }
  | { readonly kind: "spaced" }
  | { readonly kind: "separated"; readonly by: string };

export interface Cell {
  readonly text: string;
  readonly start: number;
}

const longestLine = 4096;

/** The line that begins at `start`, and the position of the next. A line of more than 4,096 characters reads as empty. */
export function lineFrom(text: string, start: number): readonly [line: string, next: number] {
  const line = text.slice(start, start + longestLine);
  const end = line.indexOf("\n");
  if (end !== -1) return [line.slice(0, end), start + end + 1];
  return line.length < longestLine ? [line, text.length] : ["", text.length];
}

/** Whether a line only rules a table. */
export function isRuler(line: string): boolean {
  return /^[\s|+=:─━═│┃║┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬-]{3,}$/.test(line);
}

const name = "[\"']?\\w[\\w.-]{0,60}[\"']?";
const separatedHeader = new RegExp(`^${name}([,;\\t])${name}(?:\\1${name}){0,60}\\r?$`);
const unalignedHeader = /^\w{1,60}(?:\|\w{1,60}){1,60}\r?$/;
const capitals = /^[^a-z]{0,400}$/;

/** The layout of the table with this header; undefined if it is none. */
export function layoutOf(header: string, isRuled: boolean): Layout | undefined {
  if (/[|│┃║]/.test(header)) return isRuled || unalignedHeader.test(header) ? { kind: "ruled" } : undefined;
  const by = separatedHeader.exec(header)?.[1];
  if (by !== undefined) return { kind: "separated", by };
  const isSpaced = /\S(?: {2}|\t)/.test(header) && (isRuled || capitals.test(header));
  return isSpaced ? { kind: "spaced" } : undefined;
}

const separators = { ruled: /[|│┃║]/g, spaced: /[ \t]{2,40}|\t/g } as const;

/** The cells of a line, without the blanks and quotes around their texts. */
export function cellsOf(line: string, start: number, layout: Layout): readonly Cell[] {
  const cells: Cell[] = [];
  const end = line.trimEnd().length;
  const first = layout.kind === "spaced" ? line.length - line.trimStart().length : 0;
  let from = first;
  const endCell = (to: number, next: number) => {
    cells.push(cellIn(line, start, from, to));
    from = next;
  };
  if (layout.kind === "separated") splitOutsideQuotes(line, layout.by, end, endCell);
  else
    for (const { index, 0: separator } of line.slice(0, end).matchAll(separators[layout.kind]))
      if (index >= first && line.charAt(index - 1) !== "\\") endCell(index, index + separator.length);
  endCell(end, end);
  return cells;
}

function splitOutsideQuotes(
  line: string,
  by: string,
  end: number,
  endCell: (to: number, next: number) => void,
): void {
  let isQuoted = false;
  for (let at = 0; at < end; at++) {
    const character = line.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (character === by && !isQuoted) endCell(at, at + 1);
  }
}

function cellIn(line: string, start: number, from: number, to: number): Cell {
  const raw = line.slice(from, to);
  const text = raw.trim();
  const at = start + from + raw.length - raw.trimStart().length;
  const quoted = /^(["'`])(.+)\1$/.exec(text)?.[2];
  return quoted === undefined ? { text, start: at } : { text: quoted, start: at + 1 };
}

/** A half-open range of UTF-16 positions in the scanned text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * One way to recognise secrets. The scanner looks for the triggers and asks `find` only where one stands.
 *
 * - `triggers`: at least three characters each, their ASCII letters in lower case and compared without regard to it;
 *   `#` stands for any digit.
 * - `find`: the secrets that the trigger at `at` gives away, in order and without overlap; empty when it
 *   was a coincidence. Nothing before `floor` may be returned: it is redacted already. The work done for
 *   one trigger is bounded by a constant, or covers a stretch that no other trigger covers again: this
 *   is what keeps the scan linear on hostile input.
 */
export interface Rule {
  readonly name: string;
  readonly triggers: readonly string[];
  find(text: string, at: number, floor: number): readonly Span[];
}

export const noSpans: readonly Span[] = [];

/** The value that a sticky pattern finds at a place: its first group, with which its match ends. */
export function valueAt(
  pattern: RegExp,
  text: string,
  at: number,
): { readonly value: string; readonly span: Span } | undefined {
  pattern.lastIndex = at;
  const value = pattern.exec(text)?.[1];
  if (value === undefined) return undefined;
  return { value, span: { start: pattern.lastIndex - value.length, end: pattern.lastIndex } };
}

/**
 * Whether a word boundary stands before `at`. A character that is written out counts as one: a line break or tab, as
 * JSON within a text has it, and `%3D` and its like, as URLs within URLs do.
 */
export function startsWord(text: string, at: number): boolean {
  return !isWordCode(text.charCodeAt(at - 1)) || endsWrittenOut(text, at);
}

function endsWrittenOut(text: string, at: number): boolean {
  return /(?:\\[nrt]|%[0-9A-Fa-f]{2})$/.test(text.slice(Math.max(0, at - 3), at));
}

function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

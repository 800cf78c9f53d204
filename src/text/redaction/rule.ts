/** A half-open range of UTF-16 positions in the scanned text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * A way to recognise secrets. The scanner looks for the triggers and calls `find` only at those places.
 *
 * - `triggers`: at least three characters each, ASCII letters in lower case; matched case-insensitively. `#` matches
 *   any digit.
 * - `find`: the secrets that belong to the trigger at `at`, in order and without overlap; empty if there is none. It
 *   must not return anything before `floor`, which is redacted already. The work per trigger must be bounded by a
 *   constant, or cover a stretch that no other trigger covers again: this keeps the scan linear on hostile input.
 */
export interface Rule {
  readonly name: string;
  readonly triggers: readonly string[];
  find(text: string, at: number, floor: number): readonly Span[];
}

export const noSpans: readonly Span[] = [];

/**
 * Whether a word boundary precedes `at`. Escaped characters count as boundaries too: `\n` and `\t` of JSON within a
 * text, and `%3D` and the like of URLs within URLs.
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

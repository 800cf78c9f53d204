import { maxFileDepth, nestedTooDeep } from "./parse-json.ts";

/* A part of a JSON text, whose end is found by counting brackets outside of strings. */

export const byte = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** A value or key whose end has not been found yet. */
export interface Part {
  readonly isKey: boolean;
  /** A word (true, false, null) or number: it ends at the first byte that cannot belong to one. */
  readonly isBare: boolean;
  /** Offset of its first byte, if it is left in place. */
  readonly leftFrom: number | undefined;
  readonly pieces: Uint8Array[];
  bytes: number;
  depth: number;
  inString: boolean;
  afterBackslash: boolean;
}

export function partThatBegins(isKey: boolean, isBare: boolean, leftFrom?: number): Part {
  return { isKey, isBare, leftFrom, pieces: [], bytes: 0, depth: 0, inString: false, afterBackslash: false };
}

/**
 * The offset after the last byte of a part. If the part continues in the next piece: for a bare one the length of the
 * piece, for others its negative. `above`: how deep the part lies.
 */
export function endOfPart(part: Part, given: Uint8Array, from: number, above: number): number {
  return part.isBare ? endOfBare(given, from) : endOfStructured(part, given, from, above);
}

function endOfStructured(part: Part, given: Uint8Array, from: number, above: number): number {
  const end = given.length;
  let { depth, inString } = part;
  // The previous piece ended with a backslash, so this byte is escaped.
  let at = part.afterBackslash ? from + 1 : from;
  while (at < end) {
    if (inString) {
      at = placeOfQuoteOrBackslash(given, at);
      if (at >= end) break;
      if (given[at] === byte.backslash) {
        at += 2;
        continue;
      }
      at += 1;
      inString = false;
      if (depth === 0) return at;
      continue;
    }
    const next = given[at] ?? 0;
    at += 1;
    if (next === byte.quote) inString = true;
    else if (next === byte.openObject || next === byte.openArray) {
      depth += 1;
      if (above + depth > maxFileDepth) throw nestedTooDeep(maxFileDepth);
    } else if (next === byte.closeObject || next === byte.closeArray) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  Object.assign(part, { depth, inString, afterBackslash: at > end });
  return -end;
}

/** A tight loop of its own, because most of a text is inside strings. */
function placeOfQuoteOrBackslash(given: Uint8Array, from: number): number {
  const end = given.length;
  let at = from;
  while (at < end && given[at] !== byte.quote && given[at] !== byte.backslash) at += 1;
  return at;
}

/** The offset of the first byte after a word or number, or the length of the piece. */
function endOfBare(given: Uint8Array, from: number): number {
  let at = from;
  while (at < given.length) {
    const next = given[at] ?? 0;
    if (next === byte.comma || next === byte.closeArray || next === byte.closeObject || next <= 0x20) break;
    at += 1;
  }
  return at;
}

import { MemsvcError } from "../operation/errors.ts";
import { decodeUtf8, maxFileDepth, nestedTooDeep, parseJsonPart } from "./parse-json.ts";

/*
 * Reads a JSON text of any size as it arrives and gives its parts as values. It walks the outer levels itself,
 * those of which `descends` says so, and hands everything below them as a whole to JSON.parse: of such a part
 * only its end has to be found, by counting brackets outside of strings. So a text of a gigabyte takes the
 * memory of its largest part, and what JSON is, down to the last escape, is decided by the runtime.
 *
 * Parts may be left where they stand: of them only the beginning and the end are told, for whoever has the text and reads
 * them later, as texts of their own.
 */

export type JsonPath = readonly (string | number)[];

export interface JsonParts {
  /** Whether the array or object at a path is given part by part. */
  descends(path: JsonPath, kind: "object" | "array"): boolean;
  /** Told of each array and object that is given part by part, when it begins. */
  opened?(path: JsonPath): void;
  /** Told of every other value. */
  value(path: JsonPath, value: unknown): void;
  /** Whether the array or object at a path is left where it stands; whether it is valid JSON is then not known. */
  leaves?(path: JsonPath, kind: "object" | "array"): boolean;
  /** Told where such a part stands: the places of its first byte and behind its last one, from the text's begin. */
  left?(path: JsonPath, from: number, to: number): void;
}

const largestPart = 64 * 1024 * 1024;

const byte = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";

interface Level {
  readonly kind: "object" | "array";
  /** The key, or the number, of the member that is being read. */
  at: string | number;
}

/** A value, or a key, whose end has not been found yet. */
interface Part {
  readonly isKey: boolean;
  /** A word or number: it ends at the first byte that cannot be part of one. */
  readonly isBare: boolean;
  /** Where it begins in the text, if it is left there. */
  readonly leftFrom: number | undefined;
  readonly pieces: Uint8Array[];
  bytes: number;
  depth: number;
  inString: boolean;
  afterBackslash: boolean;
}

/** Takes a JSON text piece by piece. Errors: invalid_input; too_large for a part of more than 64 MiB. */
export class JsonSplitter {
  readonly #parts: JsonParts;
  readonly #levels: Level[] = [];
  #expected: Expected = "value";
  #part: Part | undefined;
  #isAtStart = true;
  /** Bytes of the text before the piece that is being read. */
  #before = 0;

  constructor(parts: JsonParts) {
    this.#parts = parts;
  }

  push(given: Uint8Array): void {
    if (given.byteLength === 0) return;
    let at = this.#isAtStart && given[0] === 0xef && given[1] === 0xbb && given[2] === 0xbf ? 3 : 0;
    this.#isAtStart = false;
    while (at < given.byteLength) {
      if (this.#part !== undefined) at = this.#continue(this.#part, given, at);
      else {
        const next = given[at] ?? 0;
        // White space of JSON: blank, tab, line feed, carriage return.
        if (next === 0x20 || next === 0x09 || next === 0x0a || next === 0x0d) at += 1;
        else at = this.#take(next, at);
      }
    }
    this.#before += given.byteLength;
  }

  /** Error: invalid_input when the text is not whole. */
  end(): void {
    if (this.#part?.isBare === true && this.#levels.length === 0) this.#finish(this.#part);
    if (this.#expected !== "nothing") throw invalid("it ends too early");
  }

  /** Takes the structure's next byte; returns where to go on. */
  #take(next: number, at: number): number {
    switch (this.#expected) {
      case "value or end":
        if (next === byte.closeArray) return this.#close("array", at);
        return this.#begin(next, at);
      case "value":
        return this.#begin(next, at);
      case "key or end":
        if (next === byte.closeObject) return this.#close("object", at);
        return this.#beginKey(next, at);
      case "key":
        return this.#beginKey(next, at);
      case "colon":
        if (next !== byte.colon) throw invalid("a colon is missing");
        this.#expected = "value";
        return at + 1;
      case "comma or end":
        return this.#goOn(next, at);
      case "nothing":
        throw invalid("something follows its end");
    }
  }

  #goOn(next: number, at: number): number {
    const level = this.#levels.at(-1);
    if (next === byte.closeArray) return this.#close("array", at);
    if (next === byte.closeObject) return this.#close("object", at);
    if (next !== byte.comma || level === undefined) throw invalid("a comma is missing");
    if (typeof level.at === "number") level.at += 1;
    this.#expected = level.kind === "array" ? "value" : "key";
    return at + 1;
  }

  #close(kind: Level["kind"], at: number): number {
    if (this.#levels.pop()?.kind !== kind) throw invalid("brackets do not match");
    this.#expected = this.#levels.length === 0 ? "nothing" : "comma or end";
    return at + 1;
  }

  #begin(next: number, at: number): number {
    const opens = next === byte.openObject || next === byte.openArray;
    const kind = next === byte.openObject ? "object" : "array";
    const path = this.#path();
    if (opens && this.#parts.descends(path, kind)) {
      this.#levels.push({ kind, at: kind === "array" ? 0 : "" });
      this.#parts.opened?.(path);
      this.#expected = kind === "array" ? "value or end" : "key or end";
      return at + 1;
    }
    const isLeft = opens && this.#parts.leaves?.(path, kind) === true;
    this.#part = partThatBegins(false, !opens && next !== byte.quote, isLeft ? this.#before + at : undefined);
    return at;
  }

  #beginKey(next: number, at: number): number {
    if (next !== byte.quote) throw invalid("a name is missing");
    this.#part = partThatBegins(true, false);
    return at;
  }

  /** Looks for the end of a part; returns where to go on. */
  #continue(part: Part, given: Uint8Array, from: number): number {
    const end = part.isBare ? endOfBare(given, from) : this.#endOf(part, given, from);
    if (part.leftFrom !== undefined) {
      if (end > 0) this.#leave(part.leftFrom, this.#before + end);
      return Math.abs(end);
    }
    const piece = given.subarray(from, Math.abs(end));
    part.bytes += piece.byteLength;
    if (part.bytes > largestPart) {
      throw new MemsvcError("too_large", `a single value is larger than ${largestPart} bytes`);
    }
    const isWhole = part.isBare ? end < given.byteLength : end > 0;
    // The caller may use its buffer again, so what has to wait is kept as a copy.
    part.pieces.push(isWhole ? piece : Uint8Array.from(piece));
    if (isWhole) this.#finish(part);
    return Math.abs(end);
  }

  /** The place behind a part's last byte; negative where it goes on in the next piece. */
  #endOf(part: Part, given: Uint8Array, from: number): number {
    const above = this.#levels.length;
    const end = given.length;
    let { depth, inString } = part;
    // What a backslash at the end of the last piece escapes is passed over.
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

  #leave(from: number, to: number): void {
    this.#part = undefined;
    this.#expected = "comma or end";
    this.#parts.left?.(this.#path(), from, to);
  }

  #finish(part: Part): void {
    this.#part = undefined;
    const [first, ...others] = part.pieces;
    const bytes = first !== undefined && others.length === 0 ? first : Buffer.concat(part.pieces);
    const value = parseJsonPart(decodeUtf8(bytes));
    const level = this.#levels.at(-1);
    if (part.isKey) {
      if (level !== undefined) level.at = String(value);
      this.#expected = "colon";
      return;
    }
    this.#expected = level === undefined ? "nothing" : "comma or end";
    this.#parts.value(this.#path(), value);
  }

  #path(): JsonPath {
    return this.#levels.map(({ at }) => at);
  }
}

function partThatBegins(isKey: boolean, isBare: boolean, leftFrom?: number): Part {
  return { isKey, isBare, leftFrom, pieces: [], bytes: 0, depth: 0, inString: false, afterBackslash: false };
}

/** Most of a text stands in strings: the loop over them has nothing else to do. */
function placeOfQuoteOrBackslash(given: Uint8Array, from: number): number {
  const end = given.length;
  let at = from;
  while (at < end && given[at] !== byte.quote && given[at] !== byte.backslash) at += 1;
  return at;
}

/** The place of the first byte that ends a word or a number, or the length. */
function endOfBare(given: Uint8Array, from: number): number {
  let at = from;
  while (at < given.length) {
    const next = given[at] ?? 0;
    if (next === byte.comma || next === byte.closeArray || next === byte.closeObject || next <= 0x20) break;
    at += 1;
  }
  return at;
}

function invalid(finding: string): MemsvcError {
  return new MemsvcError("invalid_input", `the body is not valid JSON: ${finding}`);
}

import { MemsvcError } from "../operation/errors.ts";
import { byte, endOfPart, type Part, partThatBegins } from "./json-part.ts";
import { decodeUtf8, parseJsonPart } from "./parse-json.ts";

/*
 * Reads a JSON text of any size as a stream and emits its parts as values. It parses the outer levels itself (those for
 * which `descends` returns true) and passes everything below them to JSON.parse as a whole: the end of such a part is
 * found by counting brackets outside of strings. So a text of a gigabyte needs only the memory of its largest part, and
 * JSON's details, such as escapes, are left to the runtime.
 *
 * Parts may also be left in place: then only their start and end offsets are reported, so that somebody who has the
 * text can read them later.
 */

export type JsonPath = readonly (string | number)[];

export interface JsonParts {
  /** Whether the array or object at a path is emitted part by part. */
  descends(path: JsonPath, kind: "object" | "array"): boolean;
  /** Called at the start of each array and object that is emitted part by part. */
  opened?(path: JsonPath): void;
  /** Called for every other value. */
  value(path: JsonPath, value: unknown): void;
  /** Whether the array or object at a path is left in place; then it is not checked to be valid JSON. */
  leaves?(path: JsonPath, kind: "object" | "array"): boolean;
  /**
   * Called with the offsets of such a part: of its first byte, and after its last one, from the beginning of the text.
   */
  left?(path: JsonPath, from: number, to: number): void;
}

const largestPart = 64 * 1024 * 1024;

type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";

interface Level {
  readonly kind: "object" | "array";
  /** The key or index of the member that is being read. */
  at: string | number;
}

/** Splits a JSON text that arrives in pieces. Errors: invalid_input; too_large for a part of more than 64 MiB. */
export class JsonSplitter {
  readonly #parts: JsonParts;
  readonly #levels: Level[] = [];
  #expected: Expected = "value";
  #part: Part | undefined;
  #isAtStart = true;
  /** Length of the text before the current piece, in bytes. */
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

  /** Error: invalid_input if the text is incomplete. */
  end(): void {
    if (this.#part?.isBare === true && this.#levels.length === 0) this.#finish(this.#part);
    if (this.#expected !== "nothing") throw invalid("it ends too early");
  }

  /** Processes the next byte outside of parts; returns the offset at which to continue. */
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

  /** Looks for the end of a part; returns the offset at which to continue. */
  #continue(part: Part, given: Uint8Array, from: number): number {
    const end = endOfPart(part, given, from, this.#levels.length);
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
    // The caller may reuse its buffer, so bytes of an incomplete part are copied.
    part.pieces.push(isWhole ? piece : Uint8Array.from(piece));
    if (isWhole) this.#finish(part);
    return Math.abs(end);
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

function invalid(finding: string): MemsvcError {
  return new MemsvcError("invalid_input", `the body is not valid JSON: ${finding}`);
}

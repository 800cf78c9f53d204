import { MemsvcError } from "../operation/errors.ts";
import { isObject } from "./is-object.ts";

/* JSON from outside, where bytes become values. What the values must be is the schema's business. */

/** How deep the values of a body may be nested, the body itself being the first. */
const maxDepth = 64;

/** The same for a file of stored rows: below its collection and its row, what came 64 deep stands up to 6 deeper. */
export const maxFileDepth = maxDepth + 8;

/** Parses a JSON body: valid UTF-8, an object, nested at most 64 deep. An empty body is `{}`. Error: invalid_input. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.byteLength === 0) return {};
  const value = parseJson(decodeUtf8(bytes));
  if (isObject(value)) return value;
  throw new MemsvcError("invalid_input", "the body must be a JSON object", {
    issues: [{ path: "", message: "must be an object" }],
  });
}

/** Parses JSON text, nested at most so deep; NUL and lone surrogates become U+FFFD. Error: invalid_input. */
export function parseJson(text: string, deepest: number = maxDepth): unknown {
  const value = parsed(text);
  refuseDeep(value, deepest);
  return mayHoldOddCharacters.test(text) ? withCleanStrings(value) : value;
}

/** The same for a part of a text whose depth was looked at before. */
export function parseJsonPart(text: string): unknown {
  const value = parsed(text);
  return mayHoldOddCharacters.test(text) ? withCleanStrings(value) : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MemsvcError("invalid_input", "the body is not valid JSON", { cause: error });
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new MemsvcError("invalid_input", "the body is not valid UTF-8", { cause: error });
  }
}

function refuseDeep(value: unknown, deepest: number, depth = 1): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > deepest) throw nestedTooDeep(deepest);
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    refuseDeep(inner, deepest, depth + 1);
}

export function nestedTooDeep(deepest: number): MemsvcError {
  return new MemsvcError("invalid_input", `the body is nested deeper than ${deepest} levels`);
}

/** JSON carries these only as escapes, so most texts need no second look. */
const mayHoldOddCharacters = /\\u(?:0000|[dD][89a-fA-F])|\u0000/u;

/** A value whose texts hold neither NUL nor lone surrogates, at any depth. */
export function withCleanStrings(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(withCleanStrings);
  if (typeof value !== "object" || value === null) return value;
  // fromEntries defines keys instead of assigning them, so an own "__proto__" stays plain data.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [cleanText(key), withCleanStrings(inner)]),
  );
}

/** A text without NUL, at which SQLite would end it, and without lone surrogates; U+FFFD stands for them. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}

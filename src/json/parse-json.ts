import { MemsvcError } from "../operation/errors.ts";
import { isContainer, isObject } from "./is-object.ts";

/* Parses JSON from outside: bytes become values. The values are validated by schemas. */

/** Deepest allowed nesting in a request body, whose outermost object counts as 1. */
export const maxDepth = 64;

/**
 * Deepest allowed nesting in a file of stored rows: values of depth 64 are inside a row of a collection there, up to 6
 * levels deeper.
 */
export const maxFileDepth = maxDepth + 8;

/** Parses a JSON body: UTF-8, an object, nested at most 64 deep. An empty body becomes `{}`. Error: invalid_input. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.byteLength === 0) return {};
  const value = parseJson(decodeUtf8(bytes));
  if (isObject(value)) return value;
  throw new MemsvcError("invalid_input", "the body must be a JSON object", {
    issues: [{ path: "", message: "must be an object" }],
  });
}

/** Parses JSON text, nested at most `deepest`; NUL and lone surrogates become U+FFFD. Error: invalid_input. */
export function parseJson(text: string, deepest: number = maxDepth): unknown {
  const value = parsed(text);
  if (isDeeperThan(deepest, value)) throw nestedTooDeep(deepest);
  return mayHoldOddCharacters.test(text) ? withCleanStrings(value) : value;
}

/** Like parseJson, for a part of a text whose depth was checked before. */
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

/** Whether a value is nested deeper than that; an object or array in which nothing is nested counts as 1. */
export function isDeeperThan(deepest: number, value: unknown): boolean {
  if (!isContainer(value)) return false;
  if (deepest === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (isDeeperThan(deepest - 1, inner)) return true;
  return false;
}

/** `field`: the one that is nested too deep, if not the body as a whole. */
export function nestedTooDeep(deepest: number, field?: string): MemsvcError {
  const message = `${field ?? "the body"} is nested deeper than ${deepest} levels`;
  return new MemsvcError(
    "invalid_input",
    message,
    field === undefined ? {} : { issues: [{ path: field, message }] },
  );
}

/** In JSON such characters appear only as escapes, so most texts need no second pass. */
const mayHoldOddCharacters = /\\u(?:0000|[dD][89a-fA-F])|\u0000/u;

/** A copy of the value in which no string, at any depth, contains NUL or lone surrogates. */
export function withCleanStrings(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(withCleanStrings);
  if (!isContainer(value)) return value;
  // Object.fromEntries defines properties instead of assigning them, so a key "__proto__" stays plain data.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [cleanText(key), withCleanStrings(inner)]),
  );
}

/** The text with U+FFFD in place of NUL, at which SQLite would end it, and of lone surrogates. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}

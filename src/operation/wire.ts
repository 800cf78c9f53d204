import { z } from "zod";
import { MemsvcError } from "./errors.ts";

/*
 * What comes from outside as text: JSON bodies, query strings, flags. This is where bytes become values; what
 * the values must be is the schema's business.
 */

const maxDepth = 64;

/** Parses a JSON body: valid UTF-8, an object, nested at most 64 deep. An empty body is `{}`. Error: invalid_input. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.byteLength === 0) return {};
  const value = parseJson(decodeUtf8(bytes));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new MemsvcError("invalid_input", "the body must be a JSON object", { issues: [{ path: "", message: "must be an object" }] });
}

/** Parses JSON text, nested at most 64 deep; NUL and lone surrogates become U+FFFD. Error: invalid_input. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MemsvcError("invalid_input", "the body is not valid JSON", { cause: error });
  }
  refuseDeep(value, 1);
  return mayHoldOddCharacters.test(text) ? withCleanStrings(value) : value;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new MemsvcError("invalid_input", "the body is not valid UTF-8", { cause: error });
  }
}

function refuseDeep(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > maxDepth) throw new MemsvcError("invalid_input", `the body is nested deeper than ${maxDepth} levels`);
  for (const inner of Object.values(value)) refuseDeep(inner, depth + 1);
}

/** JSON carries these only as escapes, so most texts need no second look. */
const mayHoldOddCharacters = /\\u(?:0000|[dD][89a-fA-F])|\u0000/u;

function withCleanStrings(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(withCleanStrings);
  if (typeof value !== "object" || value === null) return value;
  // fromEntries defines keys instead of assigning them, so an own "__proto__" stays plain data.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), withCleanStrings(inner)]));
}

function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}

/** What a field wants when its value comes as text. */
export type TextKind = "boolean" | "number" | "list" | "text";

/** Reads off a schema what its fields want as text; the first that fits of a union counts. */
export function textKinds(schema: z.ZodType): ReadonlyMap<string, TextKind> {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const properties = Object.entries(json.properties ?? {});
  return new Map(properties.map(([field, property]) => [field, kindOf(property)]));
}

function kindOf(property: z.core.JSONSchema._JSONSchema): TextKind {
  if (typeof property === "boolean") return "text";
  const variants = [property, ...(property.anyOf ?? []), ...(property.oneOf ?? [])];
  const types = variants.flatMap((variant) => (typeof variant === "object" ? [variant.type] : []));
  if (types.includes("array")) return "list";
  if (types.includes("boolean")) return "boolean";
  return types.includes("number") || types.includes("integer") ? "number" : "text";
}

/**
 * A text as the value that its field wants; what does not fit stays text, for the schema to refuse. Of booleans
 * only `true` is true and all else false, but a slip in `dryRun` must never delete anything.
 */
export function valueFromText(field: string, kind: TextKind, text: string): unknown {
  if (kind === "boolean") return text === "true" || (field === "dryRun" && text !== "false" ? text : false);
  if (kind === "list") return text.split(",").map((item) => item.trim());
  if (kind !== "number") return text;
  const trimmed = text.trim();
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
}

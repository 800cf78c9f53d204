import type { JsonSchema } from "../operation/text-kinds.ts";
import { numberIn } from "../operation/text-values.ts";

/*
 * The kinds of a tool's arguments. Models often write a list as one string, or a number in quotes, so strings are
 * coerced to the wanted kind. Whether a value is valid is checked by the operation.
 */

export type ArgumentKind = "text" | "boolean" | "integer" | "number" | "list" | "object" | "other";

/** The kind of a field, from its schema. In a union, lists come first, then the scalar kinds in the order below. */
export function argumentKindOf(field: JsonSchema): ArgumentKind {
  const variants = variantsOf(field);
  const list = variants.find(({ type }) => type === "array");
  if (list !== undefined) return itemTypes(list).includes("string") ? "list" : "other";
  for (const kind of ["boolean", "integer", "number", "object"] as const) {
    if (variants.some(({ type }) => type === kind)) return kind;
  }
  if (variants.some(({ type }) => type === "string")) return "text";
  // A field that takes any JSON value has a schema without type and enum.
  return variants.every(({ type, enum: values }) => type === undefined && values === undefined)
    ? "object"
    : "other";
}

/** The schema that a tool shows: what a model has to know, without the limits that only the operation checks. */
export function argumentSchema(kind: ArgumentKind, field: JsonSchema): JsonSchema {
  const { description, default: byDefault } = field;
  const beside = {
    ...(description === undefined ? {} : { description }),
    ...(byDefault === undefined || isEmpty(byDefault) ? {} : { default: byDefault }),
  };
  switch (kind) {
    case "list":
      return { anyOf: [{ type: "array", items: textSchema(itemOf(field)) }, { type: "string" }], ...beside };
    case "object":
      return { anyOf: [{ type: "object" }, { type: "string" }], ...beside };
    case "integer":
    case "number":
      return { type: kind, ...boundsOf(variantsOf(field)), ...beside };
    case "boolean":
      return { type: "boolean", ...beside };
    case "text": {
      const variants = variantsOf(field);
      const text = textSchema(variants.find(({ type }) => type === "string"));
      const mayBeNull = variants.some(({ type }) => type === "null");
      return { ...(mayBeNull ? { anyOf: [text, { type: "null" }] } : text), ...beside };
    }
    case "other":
      return field;
  }
}

/**
 * Converts a string to the argument's kind. A value that cannot be converted is returned as it is, and the operation
 * refuses it.
 */
export function coerceArgument(kind: ArgumentKind, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  switch (kind) {
    case "list":
      return listed(text);
    case "object":
    case "other":
      return parsedOr(value, text);
    case "boolean":
      return text === "true" || (text === "false" ? false : value);
    case "integer":
    case "number":
      return numberIn(text) ?? value;
    case "text":
      return value;
  }
}

/**
 * Reads a list from JSON, or from items with commas between. The first item may look like JSON without being it, as the
 * file name `[id].tsx`.
 */
function listed(text: string): unknown {
  const isJson = text.startsWith("[") && (text.includes('"') || parsedOr(undefined, text) !== undefined);
  return isJson ? parsedOr(text, text) : text.split(",").flatMap((item) => item.trim() || []);
}

function parsedOr(otherwise: unknown, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the operation will say what it expects.
    return otherwise;
  }
}

function variantsOf(field: JsonSchema): JsonSchema[] {
  return [field, ...(field.anyOf ?? []), ...(field.oneOf ?? [])].filter((one) => typeof one === "object");
}

function itemOf(field: JsonSchema): JsonSchema | undefined {
  const items = variantsOf(field).find(({ type }) => type === "array")?.items;
  return typeof items === "object" && !Array.isArray(items) ? items : undefined;
}

function itemTypes(list: JsonSchema): unknown[] {
  const item = itemOf(list);
  return item === undefined ? ["string"] : variantsOf(item).map(({ type }) => type);
}

function textSchema(schema: JsonSchema | undefined): JsonSchema {
  return { type: "string", ...(schema?.enum === undefined ? {} : { enum: schema.enum }) };
}

function boundsOf(variants: readonly JsonSchema[]): JsonSchema {
  const minimum = variants.find((one) => one.minimum !== undefined)?.minimum;
  const maximum = variants.find((one) => one.maximum !== undefined)?.maximum;
  return {
    ...(minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}

function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

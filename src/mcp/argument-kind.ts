import type * as z from "zod";

/*
 * What an argument of a tool takes. Models often write a list as one text, or a number in quotes, so besides the
 * JSON type its text is understood. Whether the value is right is the operation's business.
 */

export type JsonSchema = Exclude<z.core.JSONSchema._JSONSchema, boolean>;

export type ArgumentKind = "text" | "boolean" | "integer" | "number" | "list" | "object" | "other";

/** The kind of a field, from its schema; the first that fits of a union counts. */
export function argumentKindOf(field: JsonSchema): ArgumentKind {
  const variants = variantsOf(field);
  const list = variants.find(({ type }) => type === "array");
  if (list !== undefined) return itemTypes(list).includes("string") ? "list" : "other";
  for (const kind of ["boolean", "integer", "number", "object"] as const) {
    if (variants.some(({ type }) => type === kind)) return kind;
  }
  if (variants.some(({ type }) => type === "string")) return "text";
  // A field that takes any JSON value names no type.
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

/** A value as its argument wants it; what is not understood stays as it is, for the operation to refuse. */
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
      return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu.test(text) ? Number(text) : value;
    case "text":
      return value;
  }
}

/** A list as JSON, or with commas between its items, the first of which may be a file such as `[id].tsx`. */
function listed(text: string): unknown {
  const isJson = text.startsWith("[") && (text.includes('"') || parsedOr(undefined, text) !== undefined);
  return isJson ? parsedOr(text, text) : text.split(",").flatMap((item) => item.trim() || []);
}

function parsedOr(otherwise: unknown, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the operation says what it wants.
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

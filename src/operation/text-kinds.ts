import * as z from "zod";
import type { TextKind } from "./text-values.ts";

interface Fields {
  readonly kinds: ReadonlyMap<string, TextKind>;
  readonly needed: readonly string[];
}

const known = new WeakMap<z.ZodType, Fields>();

/** How each field of a schema is written as text. */
export function textKinds(schema: z.ZodType): ReadonlyMap<string, TextKind> {
  return fieldsOf(schema).kinds;
}

/** The required fields of a schema. */
export function neededFields(schema: z.ZodType): readonly string[] {
  return fieldsOf(schema).needed;
}

/** Cached, because converting a schema to JSON Schema takes half a millisecond. */
function fieldsOf(schema: z.ZodType): Fields {
  let fields = known.get(schema);
  if (fields === undefined) {
    const { properties = {}, required = [] } = inputJsonSchema(schema);
    const kinds = Object.entries(properties).map(([field, property]) => [field, kindOf(property)] as const);
    fields = { kinds: new Map(kinds), needed: required };
    known.set(schema, fields);
  }
  return fields;
}

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of what may be sent to a schema. */
export function inputJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

function kindOf(property: z.core.JSONSchema._JSONSchema): TextKind {
  if (typeof property === "boolean") return "text";
  const variants = [property, ...(property.anyOf ?? []), ...(property.oneOf ?? [])];
  const types = variants.flatMap((variant) => (typeof variant === "object" ? [variant.type] : []));
  if (types.includes("array")) return holdsObjects(property) ? "json" : "list";
  if (types.includes("boolean")) return "boolean";
  if (types.includes("object")) return "object";
  if (types.includes("number") || types.includes("integer")) return "number";
  if (isAnything(property)) return "json";
  if (property.format === "date-time") return "time";
  return types.includes("null") ? "textOrNull" : "text";
}

function holdsObjects({ items }: JsonSchema): boolean {
  return typeof items === "object" && !Array.isArray(items) && items.type === "object";
}

function isAnything(property: JsonSchema): boolean {
  return ["type", "enum", "const", "anyOf", "oneOf", "allOf"].every(
    (constraint) => !(constraint in property),
  );
}

import * as z from "zod";
import { isObject } from "../json/is-object.ts";

type Clean = (value: unknown) => unknown;

/** Caches what has to be done for each schema; schemas live as long as the program. */
const known = new WeakMap<z.core.$ZodType, { readonly clean: Clean | undefined }>();

/**
 * The input without `null`s for optional fields, also in nested objects, since `null` there counts as absent. Nullable
 * fields keep theirs, and so do values of any JSON.
 */
export function withoutNulls(schema: z.core.$ZodType, input: unknown): unknown {
  return cleanerOf(schema)?.(input) ?? input;
}

/** Undefined if the schema contains no object with declared fields. */
function cleanerOf(schema: z.core.$ZodType): Clean | undefined {
  const found = known.get(schema);
  if (found !== undefined) return found.clean;
  const clean = newCleaner(schema);
  known.set(schema, { clean });
  return clean;
}

function newCleaner(schema: z.core.$ZodType): Clean | undefined {
  if (schema instanceof z.ZodObject) return ofObject(schema.shape);
  if (schema instanceof z.ZodArray) return ofArray(cleanerOf(schema.element));
  if (schema instanceof z.ZodRecord) return ofRecord(cleanerOf(schema.valueType));
  if (schema instanceof z.ZodUnion) return oneAfterAnother(schema.options.map(cleanerOf));
  if (schema instanceof z.ZodPipe) {
    const { in: before, out } = schema.def;
    return cleanerOf(before instanceof z.ZodTransform ? out : before);
  }
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? cleanerOf(schema.def.innerType) : undefined;
}

function ofObject(shape: Readonly<Record<string, z.core.$ZodType>>): Clean {
  const nullable = new Set(Object.keys(shape).filter((field) => takesNull(shape[field])));
  const inner = Object.entries(shape).flatMap(([field, schema]) => {
    const clean = cleanerOf(schema);
    return clean === undefined ? [] : [{ field, clean }];
  });
  return (value) => {
    if (!isObject(value)) return value;
    let cleaned = value;
    if (Object.values(value).includes(null)) {
      const kept = Object.entries(value).filter(([field, own]) => own !== null || nullable.has(field));
      cleaned = Object.fromEntries(kept);
    }
    for (const { field, clean } of inner) {
      const own = cleaned[field];
      const next = own === undefined ? own : clean(own);
      if (next === own) continue;
      if (cleaned === value) cleaned = { ...cleaned };
      cleaned[field] = next;
    }
    return cleaned;
  };
}

function ofArray(clean: Clean | undefined): Clean | undefined {
  if (clean === undefined) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const cleaned = value.map(clean);
    return cleaned.every((item, at) => item === value[at]) ? value : cleaned;
  };
}

function ofRecord(clean: Clean | undefined): Clean | undefined {
  if (clean === undefined) return undefined;
  return (value) => {
    if (!isObject(value)) return value;
    const cleaned = Object.entries(value).map(([key, own]) => [key, clean(own)] as const);
    return cleaned.every(([key, own]) => own === value[key]) ? value : Object.fromEntries(cleaned);
  };
}

/**
 * Which variant is meant is only known after validation, so all cleaners are applied. A `null` that only one variant
 * allows may be lost, which is rare.
 */
function oneAfterAnother(cleaners: readonly (Clean | undefined)[]): Clean | undefined {
  const own = cleaners.filter((clean) => clean !== undefined);
  if (own.length === 0) return undefined;
  return (value) => own.reduce<unknown>((cleaned, clean) => clean(cleaned), value);
}

function takesNull(field: z.core.$ZodType | undefined): boolean {
  if (field instanceof z.ZodOptional) return takesNull(field.def.innerType);
  return field instanceof z.ZodNullable;
}

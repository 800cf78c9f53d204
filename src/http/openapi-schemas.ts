import * as z from "zod";
import type { JsonSchema } from "../operation/text-kinds.ts";

/** Whether a schema describes requests ("input") or answers ("output"). */
type Direction = "input" | "output";

/** Collects the named schemas of a document, so that each is written once, under its components. */
export class NamedSchemas {
  readonly components: Record<string, JsonSchema> = {};

  /** The JSON Schema of a zod schema; the named schemas it refers to are added to the components. */
  add(schema: z.ZodType, io: Direction): JsonSchema {
    const {
      $schema: _dialect,
      $defs = {},
      ...json
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: ({ jsonSchema }) => loosen(jsonSchema),
    });
    for (const [name, defined] of Object.entries($defs)) {
      this.components[nameOf(name, io)] = withReferences(defined, io);
    }
    return withReferences(json, io);
  }
}

/** Allows further fields, which answers may get at any time, and removes the limits zod writes for every integer. */
function loosen(json: JsonSchema): void {
  if (json.additionalProperties === false) delete json.additionalProperties;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}

function withReferences(json: object, io: Direction): JsonSchema {
  const text = JSON.stringify(json, (key, value: unknown) =>
    key === "$ref" && typeof value === "string"
      ? value.replace(/^#\/\$defs\/(.+)$/u, (_, name: string) => `#/components/schemas/${nameOf(name, io)}`)
      : value,
  );
  return JSON.parse(text) as JsonSchema;
}

/** A record has two schemas: a field with a default is optional in a request but always present in an answer. */
function nameOf(name: string, io: Direction): string {
  return io === "input" ? `${name}Input` : name;
}

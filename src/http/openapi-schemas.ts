import * as z from "zod";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What a schema describes: what requests may hold, or what answers hold. */
export type Direction = "input" | "output";

/** The schemas of a document: those with a name stand once, among its components. */
export class NamedSchemas {
  readonly components: Record<string, JsonSchema> = {};

  /** A schema as the document holds it; what it refers to is added to the components. */
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

/** Answers may get new fields at any time, and no number needs to be told that it is one. */
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

/** What may be left out of a request is always there in an answer, so that the same record has two shapes. */
function nameOf(name: string, io: Direction): string {
  return io === "input" ? `${name}Input` : name;
}

import { join } from "node:path";
import type * as z from "zod";
import type { Operation } from "../../src/operation/define.ts";
import { inputJsonSchema } from "../../src/operation/text-kinds.ts";

type Schema = z.core.JSONSchema._JSONSchema;

const schemas = new Map<z.ZodType, z.core.JSONSchema.BaseSchema>();

/** Values for fields whose schema does not tell which values make sense. */
const byName: Readonly<Record<string, unknown>> = {
  sessionId: "s1",
  project: "shop",
  // A folder that requests may use (an allowed root).
  cwd: process.cwd(),
  timestamp: "2026-03-01T10:00:00Z",
  hookType: "prompt_submit",
  data: { prompt: "hello" },
  query: "hello",
  snapshotId: "snp_missing",
  queryText: "hello",
  content: "a memory of hello",
  step: "infer-memory-projects",
  targetId: "mem_another",
  matchAll: ["team:payments"],
  sourceActionId: "act_another",
  exportData: { version: "0.1.0", exportedAt: "2026-03-01T10:00:00Z" },
  // Inside the allowed roots, but does not exist.
  path: "missing.jsonl",
  // Nobody listens there.
  url: "http://127.0.0.1:9",
  filePath: join(process.cwd(), "missing.md"),
  from: "/code/shop",
  to: "/other/shop",
  folder: "/other/shop",
  uri: "memsvc://memories/latest",
  jsonrpc: "2.0",
  method: "ping",
};

/** Values for operations in which a field means something else. */
const byOperation: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "mcp.call": { name: "memory_sessions" },
  "mcp.prompt": { name: "detect_patterns" },
};

/** The names of an operation's input fields. */
export function fieldNames(operation: Operation): string[] {
  return Object.keys(inputSchema(operation).properties ?? {});
}

/**
 * An input that an operation accepts, made from its declared schema: the required fields, and those known by name.
 * `memoryId` is the id of a stored memory.
 */
export function plausibleInput(operation: Operation, memoryId: string): Record<string, unknown> {
  const { properties = {}, required = [] } = inputSchema(operation);
  const ids = { memoryId, id: memoryId };
  const known: Readonly<Record<string, unknown>> = { ...byName, ...ids, ...byOperation[operation.id] };
  const fields = Object.entries(properties).filter(([name]) => required.includes(name) || name in known);
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, fits(schema, known[name]) ? known[name] : sampleOf(schema)]),
  );
}

/** Whether the value suits the schema: a field of one name may be a text here and an object there. */
function fits(schema: Schema, value: unknown): boolean {
  const isObject = typeof schema === "object" && schema.type === "object";
  return value !== undefined && (!isObject || typeof value === "object");
}

function inputSchema({ input }: Operation): z.core.JSONSchema.BaseSchema {
  const schema = schemas.get(input) ?? inputJsonSchema(input);
  schemas.set(input, schema);
  return schema;
}

function sampleOf(schema: Schema): unknown {
  if (typeof schema === "boolean") return "anything";
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  const [variant] = schema.anyOf ?? schema.oneOf ?? [];
  if (variant !== undefined) return sampleOf(variant);
  switch (schema.type) {
    case "boolean":
      return true;
    case "number":
    case "integer":
      return schema.minimum ?? 1;
    case "array":
      return [
        sampleOf(typeof schema.items === "object" && !Array.isArray(schema.items) ? schema.items : true),
      ];
    case "object": {
      const required = Object.entries(schema.properties ?? {}).filter(([name]) =>
        schema.required?.includes(name),
      );
      return Object.fromEntries(required.map(([name, inner]) => [name, sampleOf(inner)]));
    }
    default:
      return schema.format === "date-time" ? "2026-03-01T10:00:00Z" : "word";
  }
}

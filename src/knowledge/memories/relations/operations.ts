import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { Id, int, limit, num, Offset, pageFields, scopeFields } from "../../../operation/fields.ts";
import { Memory } from "../record.ts";
import { MemoryRelation, RelationType } from "./record.ts";

export const listRelations = defineOperation({
  id: "relations.list",
  summary: "List how memories are related, newest first",
  description: "With a memory, also the memories connected to it, nearest first.",
  http: { method: "GET", path: "/relations", success: 200 },
  cli: {
    command: "relation list [memoryId]",
    examples: ["memsvc relation list --type contradicts", "memsvc relation list mem_01… --max-hops 3"],
  },
  mcp: {
    tool: "memory_relations",
    effects: "read",
    title: "Related memories",
    description:
      "Show how a memory is related to others, and the memories connected to it. Use it to see what a memory supersedes, extends or contradicts before you rely on it.",
    arguments: { memoryId: { required: true }, maxHops: true, minConfidence: true },
  },
  input: z.object({
    memoryId: Id.optional().describe("only relations of this memory, and the memories connected to it"),
    type: RelationType.optional().describe("only this kind of relation"),
    maxHops: int(1, 5).default(2).describe("maximum number of relations between the memory and another"),
    minConfidence: num(0, 1).default(0).describe("minimum confidence, multiplied along the way to a memory"),
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("relations to skip"),
    ...scopeFields,
  }),
  output: z.object({
    relations: z
      .array(
        MemoryRelation.extend({
          sourceTitle: z.string().describe("title of the source, or more of its first line"),
          targetTitle: z.string().describe("title of the target, or more of its first line"),
        }),
      )
      .describe("newest first"),
    ...pageFields,
    memories: z
      .array(
        z.object({
          memory: Memory.describe("a memory connected to the requested one"),
          hop: z.number().int().describe("relations on the way to it"),
          confidence: z.number().describe("product of the confidences on the way"),
        }),
      )
      .optional()
      .describe("nearest first, at most 500; only with memoryId"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.relations.list(input),
});

export const relate = defineOperation({
  id: "relations.create",
  functionId: "memory.relate",
  summary: "Relate one memory to another",
  http: {
    method: "POST",
    path: "/relations",
    success: 201,
    otherwise: { status: 200, when: ({ created }) => created !== true },
  },
  cli: {
    command: "relation create <sourceId> <targetId>",
    examples: [
      "memsvc relation create mem_01… mem_02… --type contradicts",
      "memsvc relation create mem_01… mem_02… --type extends --confidence 0.8",
    ],
  },
  input: z
    .object({
      sourceId: Id.describe("source of the relation"),
      targetId: Id.describe("target of the relation"),
      type: RelationType.describe("how the source relates to the target"),
      confidence: num(0, 1)
        .optional()
        .describe("confidence (default: estimated from shared sessions and times)"),
      ...scopeFields,
    })
    .refine(({ sourceId, targetId }) => sourceId !== targetId, {
      path: ["targetId"],
      message: "must be a different memory than the source",
    }),
  output: z.object({
    relationId: z.string().describe("id of the relation"),
    relation: MemoryRelation.describe("the relation as stored"),
    created: z.boolean().describe("false when it already existed"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.relations.relate(input),
});

export const relationOperations = [listRelations, relate];

import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import {
  dryRunInput,
  Id,
  Ids,
  limit,
  Offset,
  ProjectName,
  pageFields,
  scopeFields,
  Tags,
  Text,
  Title,
} from "../../operation/fields.ts";
import { roomFor } from "../../operation/result-room.ts";
import { Evolved, Forgotten, MemoryPart, Remembered } from "./answers.ts";
import { Memory, MemoryType } from "./record.ts";
import { withContentPart } from "./titles/content-part.ts";

export const remember = defineOperation({
  id: "memories.remember",
  functionId: "memory.remember",
  summary: "Store a memory",
  description:
    "If the text says nearly the same as a known memory, it becomes its new version; with separate, both are kept.",
  http: { method: "POST", path: "/remember", success: 201 },
  cli: {
    command: "remember [content...]",
    flags: { concepts: "concept", files: "file", sessionId: "session" },
    examples: [
      'memsvc remember "Retries use exponential backoff, at most 5" --type architecture --project shop',
      "git log -1 --format=%B | memsvc remember - --concept release",
      'memsvc remember "The billing module is owned by the platform crew" --separate',
    ],
  },
  mcp: {
    tool: "memory_save",
    effects: "write",
    core: true,
    title: "Save a memory",
    description:
      "Store something worth knowing in later sessions: a decision and its reason, a fact, a preference, the cause of a bug. Use it when it is certain, one fact per call; saying nearly the same again makes a new version that replaces the old text, so repeat the reason.",
    arguments: {
      content: true,
      type: {
        description:
          "kind of knowledge (default: fact); a decision is architecture, how work is done workflow",
      },
      title: true,
      concepts: true,
      files: true,
      project: true,
      ttlDays: true,
      agentId: { description: "agent that it belongs to" },
    },
    hint: ({ superseded, repeats, similarTo }) => {
      if (repeats === true) return "this was known in the same words; superseded is the version before";
      if (typeof superseded === "string")
        return "this replaces superseded as its new version; if both hold, read that by its id (memory_smart_search with expandIds) and save it again in other words";
      return similarTo === undefined
        ? undefined
        : "similarTo is about the same; if it does not hold any more, evolve or forget it";
    },
  },
  input: z.object({
    content: Text.describe("text of the memory"),
    type: MemoryType.optional().describe("kind of knowledge (default: fact)"),
    title: Title.optional().describe("short title (default: taken from the content)"),
    project: ProjectName.optional().describe("project it belongs to; without one it applies everywhere"),
    concepts: Tags.default([]).describe("tags"),
    files: Tags.default([]).describe("related paths"),
    ttlDays: z.number().gt(0).max(36_500).optional().describe("days after which it expires"),
    sourceObservationIds: z.array(Id).max(200).default([]).describe("observations it was derived from"),
    sessionId: Id.optional().describe("session it comes from"),
    separate: z
      .boolean()
      .optional()
      .describe("keep a memory that says nearly the same beside this one, as both hold"),
    ...scopeFields,
  }),
  output: Remembered,
  errors: ["invalid_input"],
  run: (core, input, caller) => core.remember(input, caller),
});

export const evolve = defineOperation({
  id: "memories.evolve",
  functionId: "memory.evolve",
  summary: "Save a new version of a memory",
  http: { method: "POST", path: "/evolve", success: 200 },
  cli: {
    command: "evolve <memoryId> <newContent...>",
    flags: { newTitle: "title" },
    examples: [
      'memsvc evolve mem_01… "Retries use full jitter, at most 7"',
      'memsvc evolve mem_01… "Retries use full jitter, at most 7" --title "Retry policy"',
    ],
  },
  mcp: {
    tool: "memory_evolve",
    effects: "write",
    title: "Evolve a memory",
    description:
      "Save a new version of a memory; the old one is kept as history. Use it when something that you recalled is no longer quite true.",
    arguments: { memoryId: true, newContent: true, newTitle: true },
  },
  input: z.object({
    memoryId: Id.describe("memory to evolve; it must be the latest version"),
    newContent: Text.describe("the new text"),
    newTitle: Title.optional().describe("new title (default: the old one)"),
    ...scopeFields,
  }),
  output: Evolved,
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input) => core.evolve(input),
});

export const forget = defineOperation({
  id: "memories.forget",
  functionId: "memory.forget",
  summary: "Delete a memory, or observations of a session",
  http: { method: "POST", path: "/forget", success: 200 },
  cli: {
    command: "forget [memoryId...]",
    oneByOne: true,
    flags: { sessionId: "session", observationIds: "observation" },
    examples: [
      "memsvc forget mem_01… mem_02…",
      "memsvc forget mem_01… --dry-run",
      "memsvc forget mem_01… --restore-previous",
      "memsvc forget --session my-session --include-session",
    ],
  },
  mcp: {
    tool: "memory_forget",
    effects: "destroy",
    idempotent: true,
    title: "Forget",
    description:
      "Delete a memory, or observations of a session. Use it when the user asks for it, or when a memory is wrong and nothing replaces it.",
    arguments: { memoryId: true, sessionId: true, observationIds: true, restorePrevious: true },
  },
  deletes: true,
  input: z
    .object({
      memoryId: Id.optional().describe("memory to delete"),
      sessionId: Id.optional().describe("session whose observations are deleted"),
      observationIds: Ids.optional().describe("only these observations of the session"),
      restorePrevious: z
        .boolean()
        .optional()
        .describe("make the previous version that has not expired the latest again"),
      includeSession: z.boolean().optional().describe("delete the session itself too"),
      ...dryRunInput,
      ...scopeFields,
    })
    .refine(
      ({ memoryId, sessionId, observationIds }) => (memoryId ?? sessionId ?? observationIds) !== undefined,
      "memoryId or sessionId required",
    )
    .refine(({ sessionId, observationIds }) => observationIds === undefined || sessionId !== undefined, {
      path: ["observationIds"],
      message: "give the sessionId of these observations",
    }),
  output: Forgotten,
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.forget(input),
});

export const listMemories = defineOperation({
  id: "memories.list",
  summary: "List memories, newest first",
  http: { method: "GET", path: "/memories", success: 200 },
  cli: {
    command: "memory list",
    examples: ["memsvc memory list --latest --project shop", "memsvc memory list --count"],
    rowsForPeople: 100,
  },
  input: z.object({
    latest: z.boolean().optional().describe("only latest versions"),
    count: z.boolean().optional().describe("show only how many there are"),
    project: ProjectName.optional().describe("only memories of this project"),
    type: MemoryType.optional().describe("only memories of this kind"),
    limit: limit(5_000, 5_000).describe("maximum number"),
    offset: Offset.describe("memories to skip"),
    ...scopeFields,
  }),
  output: z.union([
    z.object({
      memories: z.array(Memory).describe("newest first"),
      ...pageFields,
    }),
    z.object({
      total: z.number().int().describe("memories that match"),
      latestCount: z.number().int().describe("latest versions among them"),
    }),
  ]),
  errors: ["invalid_input"],
  bare: { field: "latestCount", when: (input) => input.count === true },
  run: async (core, input) => {
    if (input.count === true) return core.memories.count(input);
    await core.recallsNoted();
    return core.memories.list(input);
  },
});

export const getMemory = defineOperation({
  id: "memories.get",
  summary: "Show one memory",
  description: "Reading counts as a recall, which strengthens the memory.",
  http: { method: "GET", path: "/memories/:id", success: 200 },
  cli: {
    command: "memory get <id>",
    examples: ["memsvc memory get mem_01…", "memsvc memory get mem_01… --json"],
  },
  mcp: {
    tool: "memory_get",
    effects: "read",
    title: "Get a memory",
    description:
      "Show one memory in full, with its version, sources and strength. Use it when you have an id, from a search or another memory. If it is truncated, call it again with nextOffset as offset.",
    arguments: { memoryId: { field: "id" }, agentId: true, offset: { unlisted: true } },
  },
  input: z.object({
    id: Id.describe("memory to show"),
    offset: Offset.describe("characters of the content to skip"),
    ...scopeFields,
  }),
  output: MemoryPart,
  errors: ["invalid_input", "not_found"],
  run: async (core, { offset, ...input }, caller) => {
    const memory = await core.memories.get(input, caller.source !== "viewer");
    return withContentPart(memory, offset, roomFor(core, caller));
  },
});

export const memoryOperations = [remember, evolve, forget, listMemories, getMemory];

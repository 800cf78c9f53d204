import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import {
  dryRunInput,
  dryRunOutput,
  Id,
  int,
  limit,
  Offset,
  ProjectName,
  pageFields,
  TagsOrCsv,
  Title,
} from "../../operation/fields.ts";
import { hourMs, minuteMs, weekMs } from "../../time/durations.ts";
import { Action, ActionEdge, usualPriority } from "../actions/record.ts";
import { Description } from "../long-texts.ts";
import { Sketch, SketchStatus } from "./record.ts";

const mostDependencies = 1_000;

const SketchId = Id.describe("the sketch");

export const createSketch = defineOperation({
  id: "sketches.create",
  functionId: "sketch.create",
  summary: "Create a draft plan, whose actions nobody else sees until it is promoted",
  http: { method: "POST", path: "/sketches", success: 200 },
  cli: {
    command: "sketch create <title...>",
    examples: [
      'memsvc sketch create "Split the queue in two" --project shop',
      'memsvc sketch create "Try the other driver" --expires-in-ms 86400000',
    ],
  },
  mcp: {
    tool: "memory_sketch_create",
    effects: "write",
    title: "Create a sketch",
    description:
      "Create a draft plan whose actions nobody else sees until it is promoted; the command `memsvc sketch add` adds them. Use it to think work through before you commit to it.",
    arguments: { title: true, description: true, expiresInMs: true, project: true },
  },
  input: z.object({
    title: Title.describe("what the plan is for"),
    description: Description.default("").describe("longer description"),
    expiresInMs: int(minuteMs, weekMs)
      .default(hourMs)
      .describe("milliseconds after which it is discarded unless promoted, a week at most"),
    project: ProjectName.optional().describe("project of the sketch and its actions"),
  }),
  output: z.object({ sketch: Sketch.describe("the sketch as stored") }),
  errors: ["invalid_input"],
  run: async (core, input, caller) => ({ sketch: await core.sketches.create(input, caller) }),
});

export const addToSketch = defineOperation({
  id: "sketches.add",
  functionId: "action.create",
  summary: "Add an action to a sketch",
  http: { method: "POST", path: "/sketches/add", success: 200 },
  cli: {
    command: "sketch add <sketchId> <title...>",
    flags: { tags: "tag" },
    examples: [
      'memsvc sketch add skt_01… "Write the second worker"',
      'memsvc sketch add skt_01… "Move the jobs over" --depends-on act_01…',
    ],
  },
  input: z.object({
    sketchId: SketchId,
    title: Title.describe("what is to be done, in a line"),
    description: Description.default("").describe("what is to be done, at length"),
    priority: int(1, 10).default(usualPriority).describe("1 to 10, the higher the sooner"),
    dependsOn: z
      .array(Id)
      .max(mostDependencies)
      .default([])
      .describe("actions of the same sketch that must be finished first"),
    tags: TagsOrCsv.default([]).describe("tags, as a list or with commas between them"),
  }),
  output: z.object({
    action: Action.describe("the action as stored"),
    edges: z.array(ActionEdge).describe("what it requires"),
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input, caller) => core.sketches.add(input, caller),
});

export const promoteSketch = defineOperation({
  id: "sketches.promote",
  functionId: "sketch.promote",
  summary: "Turn the actions of a sketch into ordinary actions",
  http: { method: "POST", path: "/sketches/promote", success: 200 },
  cli: {
    command: "sketch promote <sketchId>",
    examples: ["memsvc sketch promote skt_01…", "memsvc sketch promote skt_01… --project shop"],
  },
  mcp: {
    tool: "memory_sketch_promote",
    effects: "write",
    title: "Promote a sketch",
    description:
      "Turn the actions of a sketch into ordinary actions that everybody sees. Use it when the plan is to be carried out.",
    arguments: { sketchId: true, project: true },
    hint: ({ promotedIds }) =>
      Array.isArray(promotedIds) && promotedIds.length === 0
        ? "it had no actions, and none can be added any more; memory_action_create makes ordinary ones"
        : undefined,
  },
  input: z.object({
    sketchId: SketchId,
    project: ProjectName.optional().describe("project to assign its actions to"),
  }),
  output: z.object({
    promotedIds: z.array(z.string()).describe("its actions"),
    sketch: Sketch.describe("the sketch afterwards"),
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input, caller) => core.sketches.promote(input, caller),
});

export const discardSketch = defineOperation({
  id: "sketches.discard",
  functionId: "sketch.discard",
  summary: "Discard a sketch and delete its actions",
  http: { method: "POST", path: "/sketches/discard", success: 200 },
  cli: {
    command: "sketch discard <sketchId>",
    examples: ["memsvc sketch discard skt_01… --dry-run", "memsvc sketch discard skt_01…"],
  },
  deletes: true,
  input: z.object({ sketchId: SketchId, ...dryRunInput }),
  output: z.object({
    discardedCount: z.number().int().describe("actions that were deleted"),
    sketch: Sketch.describe("the sketch afterwards"),
    ...dryRunOutput,
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input, caller) => core.sketches.discard(input, caller),
});

export const listSketches = defineOperation({
  id: "sketches.list",
  summary: "List sketches, newest first",
  http: { method: "GET", path: "/sketches", success: 200 },
  cli: {
    command: "sketch list",
    examples: ["memsvc sketch list --status active", "memsvc sketch list --project shop --json"],
  },
  input: z.object({
    status: SketchStatus.optional().describe("only sketches of this status"),
    project: ProjectName.optional().describe("only sketches of this project"),
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("sketches to skip"),
  }),
  output: z.object({
    sketches: z
      .array(Sketch.extend({ actionCount: z.number().int().describe("actions that were added to it") }))
      .describe("newest first"),
    ...pageFields,
  }),
  errors: ["invalid_input"],
  run: (core, input) => core.sketches.list(input),
});

export const collectSketches = defineOperation({
  id: "sketches.gc",
  functionId: "sketch.gc",
  summary: "Discard expired sketches now, without waiting for the sweep",
  http: { method: "POST", path: "/sketches/gc", success: 200 },
  cli: { command: "sketch gc", examples: ["memsvc sketch gc", "memsvc sketch gc --dry-run"] },
  deletes: true,
  input: z.object(dryRunInput),
  output: z.object({
    collected: z.number().int().describe("sketches that were discarded"),
    ...dryRunOutput,
  }),
  errors: ["invalid_input"],
  run: async (core, input, caller) => ({ collected: await core.sketches.collect(input, caller) }),
});

export const sketchOperations = [
  createSketch,
  addToSketch,
  promoteSketch,
  discardSketch,
  listSketches,
  collectSketches,
];

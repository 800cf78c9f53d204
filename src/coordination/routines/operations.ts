import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, limit, Name, Offset, ProjectName, pageFields, str, TagsOrCsv } from "../../operation/fields.ts";
import { Action } from "../actions/record.ts";
import { Description } from "../long-texts.ts";
import { ActionTemplate, Routine } from "./record.ts";
import { RoutineRun } from "./run-record.ts";
import { Steps } from "./steps.ts";

const maxSources = 200;

export const saveRoutine = defineOperation({
  id: "routines.save",
  functionId: "routine.save",
  summary: "Save recurring work as a routine with steps",
  description: "With routineId, it replaces a routine that is not frozen.",
  http: {
    method: "POST",
    path: "/routines",
    success: 201,
    otherwise: { status: 200, when: ({ created }) => created !== true },
  },
  cli: {
    command: "routine save <name...>",
    flags: { tags: "tag" },
    examples: [
      'memsvc routine save Release --steps \'[{"title": "Test"}, {"title": "Publish", "dependsOn": [1]}]\'',
      'memsvc routine save Release --routine-id rtn_01… --no-frozen --steps \'[{"title": "Publish"}]\'',
    ],
  },
  input: z.object({
    name: Name.describe("what it is for, in a line"),
    steps: Steps.describe("the steps: objects with order, title, description, actionTemplate, dependsOn"),
    description: Description.default("").describe("what it is for, at length"),
    tags: TagsOrCsv.default([]).describe("tags, as a list or with commas between them"),
    frozen: z.boolean().default(true).describe("whether it can no longer be replaced"),
    sourceProceduralIds: z
      .array(z.string())
      .max(maxSources)
      .default([])
      .describe("procedures that it was derived from"),
    routineId: Id.optional().describe("routine to replace"),
  }),
  output: z.object({
    routine: Routine.describe("the routine as stored"),
    created: z.boolean().describe("false when it replaced another"),
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input, caller) => core.routines.save(input, caller),
});

export const listRoutines = defineOperation({
  id: "routines.list",
  summary: "List routines, newest first",
  http: { method: "GET", path: "/routines", success: 200 },
  cli: {
    command: "routine list",
    examples: ["memsvc routine list", "memsvc routine list --tag release --json"],
  },
  input: z.object({
    frozen: z.boolean().optional().describe("only those that cannot be replaced"),
    tag: str(200).optional().describe("only routines with this tag"),
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("routines to skip"),
  }),
  output: z.object({ routines: z.array(Routine).describe("newest first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.routines.list(input),
});

export const runRoutine = defineOperation({
  id: "routines.run",
  functionId: "routine.run",
  summary: "Start a run of a routine: create an action for every step",
  http: { method: "POST", path: "/routines/run", success: 201 },
  cli: {
    command: "routine run <routineId>",
    examples: [
      "memsvc routine run rtn_01… --project shop --initiated-by ann",
      'memsvc routine run rtn_01… --overrides \'{"2": {"assignedTo": "bob", "priority": 8}}\'',
    ],
  },
  mcp: {
    tool: "memory_routine_run",
    effects: "write",
    title: "Run a routine",
    description:
      "Create actions from the steps of a saved routine. Use it to do something the way it was done before.",
    arguments: {
      routineId: { description: "routine to run; the command `memsvc routine list` shows their ids" },
      project: true,
      initiatedBy: true,
    },
  },
  input: z.object({
    routineId: Id.describe("routine to run"),
    project: ProjectName.optional().describe("project that its actions belong to"),
    initiatedBy: Id.optional().describe("agent that starts it"),
    overrides: z
      .record(z.string(), ActionTemplate)
      .default({})
      .describe("by the order of a step: what its action gets instead of the routine's values"),
  }),
  output: z.object({
    run: RoutineRun.describe("the run"),
    actionsCreated: z.number().int().describe("how many actions it has"),
    actions: z.array(Action).describe("its actions, in the order of the steps"),
  }),
  errors: ["invalid_input", "not_found"],
  run: async (core, input, caller) => {
    const { run, actions } = await core.routines.run(input, caller);
    return { run, actionsCreated: actions.length, actions };
  },
});

export const showRoutineRun = defineOperation({
  id: "routines.status",
  summary: "Show the progress of a routine's run",
  http: { method: "GET", path: "/routines/status", success: 200 },
  cli: {
    command: "routine status <runId>",
    examples: ["memsvc routine status run_01…", "memsvc routine status run_01… --json"],
  },
  input: z.object({ runId: Id.describe("run to show") }),
  output: z.object({
    run: RoutineRun.describe("the run"),
    actions: z.array(Action).describe("its actions, in the order of the steps"),
    progress: z
      .object({
        total: z.number().int().describe("all of its actions"),
        done: z.number().int().describe("those that are done"),
        active: z.number().int().describe("those in progress"),
        pending: z.number().int().describe("those that can be started"),
        blocked: z.number().int().describe("those that have to wait"),
        cancelled: z.number().int().describe("those that were cancelled"),
      })
      .describe("number of its actions by state"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.routines.status(input),
});

export const routineOperations = [saveRoutine, listRoutines, runRoutine, showRoutineRun];

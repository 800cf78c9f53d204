import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, limit, Name, Offset, ProjectName, pageFields, str, TagsOrCsv } from "../../operation/fields.ts";
import { Action } from "../actions/record.ts";
import { Description } from "../description.ts";
import { ActionTemplate, Routine } from "./record.ts";
import { RoutineRun } from "./run-record.ts";
import { Steps } from "./steps.ts";

const maxSources = 200;

export const saveRoutine = defineOperation({
  id: "routines.save",
  functionId: "routine.save",
  summary: "Save work that comes up again as steps",
  description: "With routineId it takes the place of a routine that is not frozen.",
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
    steps: Steps.describe(
      "what is to be done: objects with order, title, description, actionTemplate, dependsOn",
    ),
    description: Description.default("").describe("what it is for, at length"),
    tags: TagsOrCsv.default([]).describe("tags, as a list or with commas between them"),
    frozen: z.boolean().default(true).describe("whether it cannot be replaced from now on"),
    sourceProceduralIds: z
      .array(z.string())
      .max(maxSources)
      .default([])
      .describe("procedures that it was drawn from"),
    routineId: Id.optional().describe("routine whose place it takes"),
  }),
  output: z.object({
    routine: Routine.describe("the routine as stored"),
    created: z.boolean().describe("false when it took the place of another"),
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
    limit: limit(100, 1_000).describe("how many at most"),
    offset: Offset.describe("routines to pass over"),
  }),
  output: z.object({ routines: z.array(Routine).describe("newest first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.routines.list(input),
});

export const runRoutine = defineOperation({
  id: "routines.run",
  functionId: "routine.run",
  summary: "Begin a run of a routine: an action for every step",
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
      "Make actions of the steps of a saved routine. Use it when something is to be done the way it was done before.",
    arguments: {
      routineId: { description: "routine to run; the command `memsvc routine list` tells their ids" },
      project: true,
      initiatedBy: true,
    },
  },
  input: z.object({
    routineId: Id.describe("routine to run"),
    project: ProjectName.optional().describe("project that its actions belong to"),
    initiatedBy: Id.optional().describe("who begins it"),
    overrides: z
      .record(z.string(), ActionTemplate)
      .default({})
      .describe("by the order of a step, what its action gets in place of what the routine says"),
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
  summary: "Show how far a run of a routine has got",
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
        active: z.number().int().describe("those that somebody works on"),
        pending: z.number().int().describe("those that can be begun"),
        blocked: z.number().int().describe("those that have to wait"),
        cancelled: z.number().int().describe("those that were given up"),
      })
      .describe("how many of its actions stand in which way"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.routines.status(input),
});

export const routineOperations = [saveRoutine, listRoutines, runRoutine, showRoutineRun];

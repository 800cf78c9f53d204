import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import {
  Id,
  int,
  JsonObject,
  limit,
  Offset,
  ProjectName,
  pageFields,
  str,
  TagsOrCsv,
  Title,
} from "../../operation/fields.ts";
import { Lease } from "../leases/record.ts";
import { Description, Result } from "../long-texts.ts";
import { Action, ActionEdge, ActionStatus, Blocker, EdgeType, usualPriority } from "./record.ts";
import { UnblockedTitles, withUnblockedTitles } from "./unblocked.ts";

const maxEdges = 100;
const maxSources = 200;

const EdgeOfNew = z.object({
  type: EdgeType.describe("how the new action relates to the other"),
  targetActionId: Id.describe("the other action; for gated_by, a checkpoint or sentinel"),
});

/** `requires:act_01…`: the text form of an edge, for the command line. */
const EdgeText = z.string().transform((text, context) => {
  const colon = text.indexOf(":");
  const parsed = EdgeOfNew.safeParse({ type: text.slice(0, colon), targetActionId: text.slice(colon + 1) });
  if (parsed.success) return parsed.data;
  context.addIssue({ code: "custom", message: "must look like requires:act_01…" });
  return z.NEVER;
});

const SourceIds = z.array(z.string()).max(maxSources).default([]);

export const createAction = defineOperation({
  id: "actions.create",
  functionId: "action.create",
  summary: "Create an action: something to be done",
  description: "It starts as blocked if an action that it requires is unfinished or a gate is not met.",
  http: { method: "POST", path: "/actions", success: 201 },
  cli: {
    command: "action create <title...>",
    flags: { tags: "tag", edges: "edge" },
    examples: [
      'memsvc action create "Move the sessions to libSQL" --project shop --priority 7',
      'memsvc action create "Release it" --requires act_01… --tag release',
      'memsvc action create "Ask for a review" --edge spawned_by:act_01…',
    ],
  },
  mcp: {
    tool: "memory_action_create",
    effects: "write",
    title: "Create an action",
    description:
      "Create something to be done, and say what has to be done first. Use it to split work into steps for you or other agents.",
    arguments: {
      title: true,
      description: true,
      priority: true,
      project: true,
      tags: true,
      parentId: true,
      requires: true,
      createdBy: true,
    },
  },
  input: z.object({
    title: Title.describe("what is to be done, in a line"),
    description: Description.default("").describe("what is to be done, at length"),
    priority: int(1, 10).default(usualPriority).describe("1 to 10, the higher the sooner"),
    createdBy: Id.optional().describe("agent that creates it"),
    assignedTo: Id.optional().describe("agent that should work on it"),
    project: ProjectName.optional().describe("project it belongs to"),
    tags: TagsOrCsv.default([]).describe("tags, as a list or with commas between them"),
    parentId: Id.optional().describe("parent action"),
    requires: z.array(Id).max(maxEdges).default([]).describe("actions that must be finished first"),
    edges: z
      .array(
        z.union([EdgeOfNew, EdgeText], {
          error: `must have a type (${EdgeType.options.join(", ")}) and a targetActionId, or be such as requires:act_01…`,
        }),
      )
      .max(maxEdges)
      .default([])
      .describe("edges from the new action, as objects or like unlocks:act_01…"),
    sourceObservationIds: SourceIds.describe("observations that it comes from"),
    sourceMemoryIds: SourceIds.describe("memories that it comes from"),
    metadata: JsonObject.optional().describe("further data to store with it"),
  }),
  output: z.object({
    action: Action.describe("the action as stored"),
    edges: z.array(ActionEdge).describe("its edges"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, { requires, edges, ...given }, caller) => {
    const required = requires.map((targetActionId) => ({ type: "requires" as const, targetActionId }));
    return core.actions.create({ ...given, edges: [...required, ...edges] }, caller);
  },
});

export const updateAction = defineOperation({
  id: "actions.update",
  functionId: "action.update",
  summary: "Change an action or its status",
  description:
    "Finishing it unblocks the actions that waited only for it; reopening it blocks those that have not started. An action set to blocked stays blocked until it is updated again.",
  http: { method: "POST", path: "/actions/update", success: 200 },
  cli: {
    command: "action update <actionId>",
    flags: { tags: "tag" },
    examples: [
      'memsvc action update act_01… --status done --result "merged as 3f2a91c"',
      "memsvc action update act_01… --priority 9 --assigned-to builder",
      "memsvc action update act_01… --status pending --assigned-to null",
    ],
  },
  mcp: {
    tool: "memory_action_update",
    effects: "write",
    idempotent: true,
    title: "Update an action",
    description:
      "Change an action, or set it done, cancelled or blocked. Use it when work on it starts, ends or cannot continue.",
    arguments: {
      actionId: true,
      status: true,
      result: true,
      priority: true,
      title: true,
      description: true,
      assignedTo: true,
    },
  },
  input: z
    .object({
      actionId: Id.describe("action to change"),
      status: ActionStatus.optional().describe("pending, active, done, blocked, or cancelled"),
      title: Title.optional().describe("what is to be done, in a line"),
      description: Description.optional().describe("what is to be done, at length"),
      priority: int(1, 10).optional().describe("1 to 10, the higher the sooner"),
      assignedTo: Id.nullable()
        .optional()
        .describe("agent that should work on it; null unassigns it, unless a lease is held on it"),
      result: Result.optional().describe("the result"),
      tags: TagsOrCsv.optional().describe("tags, which replace the current ones"),
      metadata: JsonObject.optional().describe("further data to store with it, merged by key"),
      project: ProjectName.optional().describe("project it belongs to"),
    })
    .refine(
      ({ actionId: _id, ...fields }) => Object.values(fields).some((value) => value !== undefined),
      "nothing to change: give a status, a title, or another field",
    ),
  output: z.object({
    action: Action.describe("the action after the change"),
    unblocked: z.array(z.string()).describe("actions that waited only for it"),
    unblockedTitles: UnblockedTitles,
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: async (core, input, caller) => withUnblockedTitles(core, await core.actions.update(input, caller)),
});

export const listActions = defineOperation({
  id: "actions.list",
  summary: "List actions, most recently changed first",
  http: { method: "GET", path: "/actions", success: 200 },
  cli: {
    command: "action list",
    examples: ["memsvc action list --project shop", "memsvc action list --status blocked --json"],
  },
  input: z.object({
    status: ActionStatus.optional().describe("only actions of this status"),
    project: ProjectName.optional().describe("only actions of this project"),
    parentId: Id.optional().describe("only parts of this action"),
    assignedTo: Id.optional().describe("only what is assigned to this agent"),
    tag: str(200).optional().describe("only actions with this tag"),
    sketchId: Id.optional().describe("the actions of this sketch, which other lists leave out"),
    limit: limit(50, 500).describe("maximum number"),
    offset: Offset.describe("actions to skip"),
  }),
  output: z.object({ actions: z.array(Action).describe("most recently changed first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.actions.list(input),
});

export const getAction = defineOperation({
  id: "actions.get",
  summary: "Show an action with its edges, its parts and what blocks it",
  http: { method: "GET", path: "/actions/get", success: 200 },
  cli: {
    command: "action show <actionId>",
    examples: ["memsvc action show act_01…", "memsvc action show act_01… --json"],
  },
  input: z.object({ actionId: Id.describe("action to show") }),
  output: z.object({
    action: Action.describe("the action"),
    edges: z.array(ActionEdge).describe("edges from and to it, oldest first"),
    children: z.array(Action).describe("its parts, oldest first"),
    blockers: z.array(Blocker).describe("unmet gates, and active actions that it conflicts with"),
    lease: Lease.nullable().describe("who holds it; null: nobody"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.actions.get(input),
});

export const addActionEdge = defineOperation({
  id: "actions.edge",
  functionId: "action.edge",
  summary: "Connect an action to another, or to a checkpoint or sentinel that blocks it",
  http: {
    method: "POST",
    path: "/actions/edges",
    success: 201,
    otherwise: { status: 200, when: ({ isNew }) => isNew !== true },
  },
  cli: {
    command: "action edge <sourceActionId> <type> <targetActionId>",
    examples: ["memsvc action edge act_01… requires act_02…", "memsvc action edge act_01… gated_by chk_01…"],
  },
  input: z
    .object({
      sourceActionId: Id.describe("source of the edge, for example the action that depends on another"),
      targetActionId: Id.describe("target of the edge; for gated_by, a checkpoint or sentinel"),
      type: EdgeType.describe("requires, unlocks, spawned_by, gated_by, or conflicts_with"),
      metadata: JsonObject.optional().describe("further data to store with it"),
    })
    .refine(({ sourceActionId, targetActionId }) => sourceActionId !== targetActionId, {
      path: ["targetActionId"],
      message: "an action cannot have an edge to itself",
    }),
  output: z.object({
    edge: ActionEdge.describe("the edge as stored"),
    action: Action.describe("its source, after its gates were checked"),
    isNew: z.boolean().describe("false when it already existed"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input, caller) => core.actions.addEdge(input, caller),
});

export const actionOperations = [createAction, updateAction, listActions, getAction, addActionEdge];

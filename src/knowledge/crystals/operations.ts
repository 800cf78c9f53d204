import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, Ids, limit, num, Offset, ProjectName, pageFields, scopeFields } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { Crystal } from "./record.ts";

const mostActions = 200;
const mostDays = 3_650;

const warning = z.string().optional().describe("why rules were used instead of a model");

export const createCrystal = defineOperation({
  id: "crystals.create",
  functionId: "crystal.create",
  summary: "Condense finished actions into one record of their results",
  description:
    "Uses the configured language model, or rules. What was learned is saved as lessons; each action is condensed once.",
  http: { method: "POST", path: "/crystals/create", success: 200, otherwise: whenQueued },
  cli: {
    command: "crystal create <actionIds...>",
    flags: { sessionId: "session" },
    examples: ["memsvc crystal create act_01… act_02…", "memsvc crystal create act_01… --project shop"],
  },
  mcp: {
    tool: "memory_crystallize",
    effects: "write",
    title: "Crystallize actions",
    description:
      "Condense finished actions into what was done, its result and what was learned. Use it when a piece of work is finished.",
    arguments: { actionIds: true, project: true, sessionId: true },
  },
  input: z.object({
    actionIds: Ids.max(mostActions).describe("actions that are done or cancelled"),
    project: ProjectName.optional().describe("project it belongs to (default: that of the actions)"),
    sessionId: Id.optional().describe("session that it belongs to"),
    ...scopeFields,
  }),
  output: orQueued(z.object({ crystal: Crystal.describe("the crystal as stored"), warning })),
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input, caller) => core.crystals.create(input, waitMs(core, caller)),
});

export const listCrystals = defineOperation({
  id: "crystals.list",
  summary: "List crystals, newest first",
  http: { method: "GET", path: "/crystals", success: 200 },
  cli: {
    command: "crystal list",
    flags: { sessionId: "session" },
    examples: ["memsvc crystal list --project shop", "memsvc crystal list --limit 5 --json"],
  },
  input: z.object({
    project: ProjectName.optional().describe("only crystals of this project"),
    sessionId: Id.optional().describe("only crystals of this session"),
    limit: limit(20, 200).describe("maximum number"),
    offset: Offset.describe("crystals to skip"),
    ...scopeFields,
  }),
  output: z.object({ crystals: z.array(Crystal).describe("newest first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.crystals.list(input),
});

export const autoCrystallize = defineOperation({
  id: "crystals.auto",
  functionId: "crystal.auto",
  summary: "Condense actions that were done a while ago, grouped by parent action or project",
  description: "Only done actions that are in no crystal yet; at most 50 groups, oldest first.",
  http: { method: "POST", path: "/crystals/auto", success: 200, otherwise: whenQueued },
  cli: {
    command: "crystal auto",
    examples: ["memsvc crystal auto --dry-run", "memsvc crystal auto --older-than-days 1 --project shop"],
    bulk: true,
  },
  input: z.object({
    olderThanDays: num(0, mostDays).default(7).describe("minimum age, in days since it was done"),
    project: ProjectName.optional().describe("only actions of this project"),
    dryRun: z.boolean().optional().describe("show what would be condensed, and change nothing"),
    ...scopeFields,
  }),
  output: orQueued(
    z.object({
      groupCount: z
        .number()
        .int()
        .describe("groups that crystals were made of; in a dry run, those that were found"),
      crystalIds: z.array(z.string()).describe("crystals that were made"),
      groups: z
        .array(
          z.object({
            key: z.string().describe("the parent's id, else the project; empty if there is neither"),
            actionIds: z.array(z.string()).describe("its actions, in the order in which they were done"),
          }),
        )
        .optional()
        .describe("what would be condensed; only in a dry run"),
      dryRun: z.boolean().describe("whether nothing was changed"),
      warning,
    }),
  ),
  errors: ["invalid_input"],
  run: (core, input, caller) => core.crystals.auto(input, waitMs(core, caller)),
});

export const crystalOperations = [createCrystal, listCrystals, autoCrystallize];

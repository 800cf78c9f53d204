import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, Ids, limit, num, Offset, ProjectName, pageFields, scopeFields } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { Crystal } from "./record.ts";

const mostActions = 200;
const mostDays = 3_650;

const warning = z.string().optional().describe("why rules took a model's place");

export const createCrystal = defineOperation({
  id: "crystals.create",
  functionId: "crystal.create",
  summary: "Condense finished actions into one record of what came of them",
  description:
    "Made by the language model in use, or by rules. What was learned is saved as lessons, and an action is condensed once.",
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
      "Condense finished actions into what was done, what came of it and what was learned. Use it when a piece of work is finished.",
    arguments: { actionIds: true, project: true, sessionId: true },
  },
  input: z.object({
    actionIds: Ids.max(mostActions).describe("actions that are done or cancelled"),
    project: ProjectName.optional().describe("project it belongs to; that of the actions unless given"),
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
    limit: limit(20, 200).describe("how many at most"),
    offset: Offset.describe("crystals to pass over"),
    ...scopeFields,
  }),
  output: z.object({ crystals: z.array(Crystal).describe("newest first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.crystals.list(input),
});

export const autoCrystallize = defineOperation({
  id: "crystals.auto",
  functionId: "crystal.auto",
  summary: "Condense what was done a while ago, the parts of one action or the work of one project together",
  description:
    "Only done actions that are in no crystal yet; 50 groups at most, those done first coming first.",
  http: { method: "POST", path: "/crystals/auto", success: 200, otherwise: whenQueued },
  cli: {
    command: "crystal auto",
    examples: ["memsvc crystal auto --dry-run", "memsvc crystal auto --older-than-days 1 --project shop"],
    bulk: true,
  },
  input: z.object({
    olderThanDays: num(0, mostDays).default(7).describe("how long ago it was done at least, in days"),
    project: ProjectName.optional().describe("only actions of this project"),
    dryRun: z.boolean().optional().describe("only tell what would be condensed"),
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
            key: z.string().describe("the parent's id, else the project; empty for what has neither"),
            actionIds: z.array(z.string()).describe("its actions, in the order in which they were done"),
          }),
        )
        .optional()
        .describe("what would be condensed; on a dry run only"),
      dryRun: z.boolean().describe("whether nothing was changed"),
      warning,
    }),
  ),
  errors: ["invalid_input"],
  run: (core, input, caller) => core.crystals.auto(input, waitMs(core, caller)),
});

export const crystalOperations = [createCrystal, listCrystals, autoCrystallize];

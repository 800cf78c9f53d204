import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { Id, limit, ProjectName } from "../../../operation/fields.ts";
import { Action, Blocker } from "../record.ts";

const whoseFrontier = {
  project: ProjectName.optional().describe("only actions of this project"),
  agentId: Id.optional().describe("who asks: what others hold is left out, what it holds itself is not"),
};

const frontierTotals = {
  totalActions: z.number().int().describe("actions that are neither done nor cancelled"),
  totalUnblocked: z.number().int().describe("actions that can be worked on now, whatever the limit"),
};

export const readFrontier = defineOperation({
  id: "actions.frontier",
  summary: "List the actions that can be worked on now, best first",
  description:
    "The score is 10 for each step of priority, half a point for each hour of age up to 20, 5 for each unfinished action that it unlocks, 3 if it came out of another, 15 if it was begun.",
  http: { method: "GET", path: "/frontier", success: 200 },
  cli: {
    command: "frontier",
    examples: ["memsvc frontier --project shop", "memsvc frontier --agent-id builder --limit 5"],
    records: "frontier",
  },
  mcp: {
    tool: "memory_frontier",
    effects: "read",
    title: "What can be done now",
    description:
      "List the actions that nothing stands before, best first. Use it to choose what to work on, or to see what others hold.",
    arguments: { project: true, agentId: true, limit: true },
  },
  input: z.object({ ...whoseFrontier, limit: limit(20, 200).describe("how many at most") }),
  output: z.object({
    frontier: z
      .array(
        z.object({
          action: Action.describe("the action"),
          score: z.number().describe("the higher the sooner"),
          blockers: z.array(Blocker).describe("always empty: nothing stands in its way"),
          leased: z.boolean().describe("whether whoever asks holds it already"),
        }),
      )
      .describe("best first, then older first"),
    ...frontierTotals,
  }),
  errors: ["invalid_input"],
  run: (core, input) => core.actions.frontier(input),
});

export const nextAction = defineOperation({
  id: "actions.next",
  summary: "Suggest what to work on next",
  http: { method: "GET", path: "/next", success: 200 },
  cli: { command: "next", examples: ["memsvc next", "memsvc next --project shop --agent-id builder"] },
  mcp: {
    tool: "memory_next",
    effects: "read",
    title: "What to do next",
    description: "Name the one action that is best done next, and why. Use it when you are free for work.",
    arguments: { project: true, agentId: true },
  },
  input: z.object(whoseFrontier),
  output: z.object({
    suggestion: z
      .object({
        actionId: z.string().describe("id of the action"),
        title: z.string().describe("what is to be done, in a line"),
        description: z.string().describe("what is to be done, at length"),
        priority: z.number().int().describe("1 to 10"),
        score: z.number().describe("the higher the sooner"),
        tags: z.array(z.string()).describe("tags"),
      })
      .nullable()
      .describe("the first of the frontier; null: there is nothing to do now"),
    message: z.string().describe("the same in a sentence"),
    ...frontierTotals,
  }),
  errors: ["invalid_input"],
  run: (core, input) => core.actions.next(input),
});

export const frontierOperations = [readFrontier, nextAction];

import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { Id, limit, ProjectName } from "../../../operation/fields.ts";
import { Frontier, Suggestion } from "./answers.ts";

const whoseFrontier = {
  project: ProjectName.optional().describe("only actions of this project"),
  agentId: Id.optional().describe("agent that asks; actions that other agents hold are left out"),
};

export const readFrontier = defineOperation({
  id: "actions.frontier",
  summary: "List the actions that can be worked on now, best first",
  description:
    "The score is 10 for each step of priority, half a point for each hour of age up to 20, 5 for each unfinished action that it unlocks, 3 if another action spawned it, 15 if it was started.",
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
      "List the actions that nothing blocks, best first. Use it to choose what to work on, or to see what others hold.",
    arguments: { project: true, agentId: true, limit: true },
  },
  input: z.object({ ...whoseFrontier, limit: limit(20, 200).describe("maximum number") }),
  output: Frontier,
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
    description: "Name the one action to do next, and why. Use it when you are free for work.",
    arguments: { project: true, agentId: true },
  },
  input: z.object(whoseFrontier),
  output: Suggestion,
  errors: ["invalid_input"],
  run: (core, input) => core.actions.next(input),
});

export const frontierOperations = [readFrontier, nextAction];

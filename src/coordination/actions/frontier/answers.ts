import * as z from "zod";
import { Action, Blocker } from "../record.ts";

const totals = {
  totalActions: z.number().int().describe("actions that are neither done nor cancelled"),
  totalUnblocked: z.number().int().describe("actions that can be worked on now, whatever the limit"),
};

export const Frontier = z.object({
  frontier: z
    .array(
      z.object({
        action: Action.describe("the action"),
        score: z.number().describe("the higher the sooner"),
        blockers: z.array(Blocker).describe("always empty: nothing blocks it"),
        leased: z.boolean().describe("whether the asking agent already holds it"),
      }),
    )
    .describe("best first, then older first"),
  ...totals,
});
export type Frontier = z.infer<typeof Frontier>;

export const Suggestion = z.object({
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
    .describe("the first action of the frontier; null if there is nothing to do now"),
  message: z.string().describe("the same in a sentence"),
  ...totals,
});
export type Suggestion = z.infer<typeof Suggestion>;

import * as z from "zod";

/** A finished piece of work, from its goal to what was learned. */
export const FlowSummary = z
  .object({
    goal: z.string().describe("what the work was to achieve"),
    outcome: z.string().describe("the result"),
    steps: z.array(z.string()).describe("what was done, in its order"),
    discoveries: z.array(z.string()).describe("what was found out on the way"),
    lesson: z.string().describe("what to do or to avoid the next time; may be empty"),
  })
  .meta({ id: "FlowSummary" });
export type FlowSummary = z.infer<typeof FlowSummary>;

export const CompressedFlow = z.union([
  z.object({
    compressed: z.number().int().min(1).describe("actions that it was made of"),
    memoryId: z.string().describe("the memory"),
    summary: FlowSummary.describe("what it says"),
    provider: z.string().describe("who made it: a model's provider, or extractive for rules"),
    warning: z.string().optional().describe("why rules were used instead of a model"),
  }),
  z.object({
    compressed: z.literal(0).describe("nothing was finished"),
    message: z.string().describe("the same in words"),
  }),
]);
export type CompressedFlow = z.infer<typeof CompressedFlow>;

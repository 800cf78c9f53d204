import * as z from "zod";

export const ContextBlock = z.object({
  context: z.string().describe("the block in Markdown, empty when there is nothing to recall"),
  tokenCount: z.number().int().describe("estimated tokens of the block"),
  tokens: z.number().int().describe("the same as tokenCount"),
  blocks: z.number().int().describe("sections in the block"),
  truncated: z.boolean().describe("true when the budget or the deadline left something out"),
});
export type ContextBlock = z.infer<typeof ContextBlock>;

import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";

export const followup = defineOperation({
  id: "followups.report",
  summary: "Show how many searches were soon followed by another one",
  http: { method: "GET", path: "/diagnostics/followup", success: 200 },
  cli: {
    command: "diagnostics followup",
    examples: ["memsvc diagnostics followup", "memsvc diagnostics followup --json"],
  },
  input: z.object({}),
  output: z.object({
    windowSeconds: z.number().describe("how soon counts as soon"),
    agentInitiatedSearches: z
      .number()
      .int()
      .describe("searches that named their session and found something"),
    followupWithinWindow: z.number().int().describe("those that were followed by another question"),
    rate: z.number().describe("share of searches that were follow-ups, 0 to 1"),
    caveat: z.string().describe("how far the figure can be trusted"),
  }),
  errors: [],
  run: async (core) => {
    await core.recallsNoted();
    return core.followups.report();
  },
});

export const followupOperations = [followup];

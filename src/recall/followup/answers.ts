import * as z from "zod";

export const FollowupReport = z.object({
  windowSeconds: z.number().describe("the follow-up window"),
  agentInitiatedSearches: z.number().int().describe("searches that named their session and found something"),
  followupWithinWindow: z.number().int().describe("those that were followed by another search"),
  rate: z.number().describe("share of searches that were follow-ups, 0 to 1"),
  caveat: z.string().describe("how reliable the figure is"),
});
export type FollowupReport = z.infer<typeof FollowupReport>;

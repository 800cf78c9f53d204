import * as z from "zod";

const ids = z.array(z.string());
const Dry = z.boolean().describe("true when nothing was deleted");

export const Evicted = z.object({
  dryRun: Dry,
  decayedMemories: ids.describe("latest versions whose strength fell below the threshold"),
  expiredMemories: ids.describe("memories that had expired"),
  nonLatestMemories: ids.describe("earlier versions of the decayed and the expired ones"),
  lowImportanceObservations: z.number().int().describe("old observations of little importance"),
  lowImportanceObs: z.number().int().describe("the same number"),
  observationIds: ids.describe("their ids, at most 1,000"),
  staleSessions: z.number().int().describe("sessions that count as abandoned; none is deleted"),
  capEvictions: z.number().int().describe("0: there is no cap"),
  evicted: z.number().int().describe("everything that was deleted, or in a dry run would be"),
  threshold: z.number().describe("strength below which memories are evicted"),
});
export type Evicted = z.infer<typeof Evicted>;

export const AutoForgotten = z.object({
  dryRun: Dry,
  ttlExpired: ids.describe("memories that had expired"),
  contradictions: z
    .array(
      z.object({
        memoryA: z.string().describe("the newer one, which stays"),
        memoryB: z.string().describe("the older one, which it supersedes"),
        similarity: z.number().describe("how alike their texts are, 0 to 1"),
      }),
    )
    .describe("pairs that say nearly the same about the same thing"),
  lowValueObs: ids.describe("observations of little importance, half a year old"),
});
export type AutoForgotten = z.infer<typeof AutoForgotten>;

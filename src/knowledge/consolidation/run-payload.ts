import * as z from "zod";
import { tierNames } from "./tier-names.ts";

/** What a job of consolidation is about, as it is kept with the job. */
export const RunPayload = z.object({
  tiers: z.array(z.enum(tierNames)).default([]),
  project: z.string().optional(),
  agentId: z.string().optional(),
  /** Agent whom the caller works for; it takes the place of the setting. */
  defaultAgentId: z.string().optional(),
  includeOrphans: z.boolean().optional(),
  /** Whether a model is used although the setting does not ask for it. */
  force: z.boolean().default(false),
  /** Nobody waits for it: a model that is not to be asked now is waited for. */
  background: z.boolean().default(false),
  /** Whether memories are made of groups of observations too. */
  memories: z.boolean().default(false),
  minObservations: z.number().default(0),
  maxClusters: z.number().default(0),
});
export type RunPayload = z.output<typeof RunPayload>;

import * as z from "zod";
import { tierNames } from "./tier-names.ts";

/** The payload of a consolidation job. */
export const RunPayload = z.object({
  tiers: z.array(z.enum(tierNames)).default([]),
  project: z.string().optional(),
  agentId: z.string().optional(),
  /** The agent that the caller works for; takes precedence over the setting. */
  defaultAgentId: z.string().optional(),
  includeOrphans: z.boolean().optional(),
  /** Whether a model is used even if the setting does not enable it. */
  force: z.boolean().default(false),
  /** Nobody waits for the result, so the run may wait for a model that is not available now. */
  background: z.boolean().default(false),
  /** Whether memories are also made from groups of observations. */
  memories: z.boolean().default(false),
  minObservations: z.number().default(0),
  maxClusters: z.number().default(0),
});
export type RunPayload = z.output<typeof RunPayload>;

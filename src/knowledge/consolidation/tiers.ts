import * as z from "zod";
import type { StepResult } from "./durable-steps.ts";
import type { TierName } from "./tier-names.ts";

const count = z.number().int();
const made = {
  provider: z.string().describe("who made it: a model provider, or extractive for rules"),
};

const Skipped = z
  .object({
    skipped: z.literal(true).describe("there was nothing to do"),
    reason: z.string().describe("why"),
  })
  .meta({ id: "SkippedTier" });

const tiers = {
  working: z.object({
    processed: count.describe("observations that got fields or an index entry"),
    llmCompressed: count.describe("those of them that a model compressed"),
    pending: count.describe("observations that still wait for a model"),
    ...made,
  }),
  episodic: z.object({
    summarized: count.describe("sessions that got a summary"),
    alreadySummarized: count.describe("ended sessions whose summary was up to date"),
    skipped: count.describe("ended sessions with nothing to summarise"),
    ...made,
  }),
  semantic: z.object({
    newFacts: count.describe("facts that were not known"),
    reinforced: count.describe("known facts that came up again"),
    totalSummaries: count.describe("summaries that were looked at"),
    findings: count
      .optional()
      .describe("causes that agents found and that were kept as memories, if there were any"),
    ...made,
  }),
  reflect: z.object({
    newInsights: count.describe("insights that were not known"),
    reinforced: count.describe("known insights that were found again"),
    clustersProcessed: count.describe("clusters of concepts that were looked at"),
    clustersSkipped: count.describe("clusters of too few statements, or that a model failed on"),
    usedFallback: z.boolean().describe("whether words and tags were used instead of the graph's concepts"),
    ...made,
  }),
  procedural: z.object({
    newProcedures: count.describe("procedures that were not known"),
    reinforced: count.describe("known procedures that came up again"),
    patternsAnalyzed: count.describe("patterns that were looked at"),
    ...made,
  }),
  decay: z.object({
    semantic: count.describe("facts that are below the retention threshold now"),
    procedural: count.describe("procedures that are below the retention threshold now"),
    lessons: count.describe("lessons that faded away"),
    insights: count.describe("insights that faded away"),
    ...made,
  }),
} as const satisfies Record<TierName, z.ZodType>;

export const Reflection = tiers.reflect;
export type Reflection = z.infer<typeof Reflection>;

const orSkipped = <Tier extends z.ZodType>(tier: Tier) => z.union([Skipped, tier]);

/** What the tiers of a run did; only those that ran are present. */
export const TierResults = z.object({
  working: orSkipped(tiers.working).optional().describe("events to observations"),
  episodic: orSkipped(tiers.episodic).optional().describe("observations to session summaries"),
  semantic: orSkipped(tiers.semantic).optional().describe("summaries to facts"),
  reflect: orSkipped(tiers.reflect).optional().describe("facts, lessons and memories to insights"),
  procedural: orSkipped(tiers.procedural).optional().describe("patterns to procedures"),
  decay: orSkipped(tiers.decay).optional().describe("what has faded"),
});
export type TierResults = z.infer<typeof TierResults>;

/** Merges the results of a tier for all units: counts are added up. */
export function mergedResults(results: readonly StepResult[]): StepResult {
  const taken = results.filter(({ skipped }) => skipped === undefined);
  const counts: Record<string, number> = {};
  for (const result of taken)
    for (const [name, value] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + value;
  const warnings = [...new Set(results.flatMap(({ warning }) => warning ?? []))];
  const providers = taken.flatMap(({ provider }) => provider ?? []);
  const provider = providers.find((name) => name !== "extractive") ?? providers[0];
  const skipped = taken.length === 0 ? (results[0]?.skipped ?? "no_projects") : undefined;
  return {
    counts,
    targetIds: results.flatMap(({ targetIds }) => targetIds),
    provider,
    usedFallback: taken.some(({ usedFallback }) => usedFallback),
    skipped,
    warning: warnings.length === 0 ? undefined : warnings.join("; "),
  };
}

/** The results of tiers as answers show them. */
export function tierResults(byTier: ReadonlyMap<TierName, StepResult>): TierResults {
  const shown = [...byTier].map(
    ([tier, { counts, provider = "extractive", usedFallback = false, skipped }]) => [
      tier,
      skipped === undefined
        ? { ...counts, provider, ...(tier === "reflect" ? { usedFallback } : {}) }
        : { skipped: true, reason: skipped },
    ],
  );
  return TierResults.parse(Object.fromEntries(shown));
}

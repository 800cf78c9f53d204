import type { Projects } from "../../capture/projects/projects.ts";
import type { Metrics } from "../../operation/metrics.ts";
import type { Connection } from "../../store/store.ts";
import { PatternConfig, ThresholdConfig } from "./config.ts";
import { isFulfilled, metricNow } from "./metrics.ts";
import { matcherOf } from "./pattern.ts";
import { type PatternWatch, watchPatterns } from "./pattern-watch.ts";
import type { SentinelRow } from "./record.ts";

interface Services {
  readonly metrics: Metrics;
  readonly projects: Projects;
}

/** What a look at the conditions of sentinels came to. */
export interface Look {
  /** Results of those whose condition is fulfilled, by id. */
  readonly met: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Patterns that were held against what has arrived, up to this observation. */
  readonly watched: readonly string[];
  readonly lookedAtSeq: number | undefined;
}

/** Looks whether thresholds and patterns are fulfilled. Reads only: outside of any transaction, as it may take a while. */
export async function lookAtConditions(
  { sql }: Pick<Connection, "sql">,
  { metrics, projects }: Services,
  watching: readonly SentinelRow[],
  now: number,
): Promise<Look> {
  const met = new Map<string, Readonly<Record<string, unknown>>>();
  const measured = new Map<string, number>();
  for (const { id, type, config } of watching) {
    if (type !== "threshold") continue;
    const threshold = ThresholdConfig.parse(config);
    const { metric } = threshold;
    const value = measured.get(metric) ?? (await metricNow(sql, metrics, metric, now));
    measured.set(metric, value);
    if (isFulfilled(threshold, value)) met.set(id, { metric, value });
  }
  const watches: PatternWatch[] = [];
  for (const { id, type, config, lookedAtSeq } of watching) {
    if (type !== "pattern") continue;
    const { pattern, field, project } = PatternConfig.parse(config);
    const projectKeys = await projects.readKeys(sql, project);
    watches.push({ id, matches: await matcherOf(pattern), field, projectKeys, lookedAtSeq });
  }
  if (watches.length === 0) return { met, watched: [], lookedAtSeq: undefined };
  const { found, lookedAtSeq } = await watchPatterns(sql, watches);
  for (const [id, observationId] of found) met.set(id, { observationId });
  return { met, watched: watches.map(({ id }) => id), lookedAtSeq };
}

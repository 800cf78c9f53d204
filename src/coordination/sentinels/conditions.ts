import type { Projects } from "../../capture/projects/projects.ts";
import type { Metrics } from "../../operation/metrics.ts";
import type { Sql } from "../../store/sql.ts";
import { PatternConfig, ThresholdConfig } from "./config.ts";
import { isFulfilled, metricNow } from "./metrics.ts";
import { matcherOf } from "./pattern.ts";
import { type PatternWatch, watchPatterns } from "./pattern-watch.ts";
import type { SentinelRow } from "./record.ts";

/** What triggered sentinels, by sentinel id. */
export type Results = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** The outcome of matching patterns against new observations. */
export interface PatternLook {
  readonly matched: Results;
  /**
   * `watched`: the ids of the sentinels whose patterns were matched; `lookedAtSeq`: the last observation that
   * they were matched against, undefined when there was no new one.
   */
  readonly watched: readonly string[];
  readonly lookedAtSeq: number | undefined;
}

/**
 * Matches the patterns of these sentinels against new observations. Has to run outside of any transaction,
 * because it may take long.
 */
export async function lookForPatterns(
  sql: Sql,
  projects: Projects,
  watching: readonly SentinelRow[],
  now: number,
): Promise<PatternLook> {
  const watches: PatternWatch[] = [];
  for (const { id, type, config, createdAt, lookedAtSeq, dueAt: until } of watching) {
    if (type !== "pattern") continue;
    const { pattern, field, project } = PatternConfig.parse(config);
    const projectKeys = await projects.readKeys(sql, project);
    const since = createdAt > now ? null : createdAt;
    watches.push({ id, matches: await matcherOf(pattern), field, projectKeys, lookedAtSeq, since, until });
  }
  if (watches.length === 0) return { matched: new Map(), watched: [], lookedAtSeq: undefined };
  const { found, lookedAtSeq } = await watchPatterns(sql, watches);
  return {
    matched: new Map([...found].map(([id, observationId]) => [id, { observationId }])),
    watched: watches.map(({ id }) => id),
    lookedAtSeq,
  };
}

/** The threshold sentinels among these whose condition is met now. */
export async function fulfilledThresholds(
  sql: Sql,
  metrics: Pick<Metrics, "list">,
  watching: readonly SentinelRow[],
  now: number,
): Promise<Results> {
  const fulfilled = new Map<string, Readonly<Record<string, unknown>>>();
  const measured = new Map<string, number>();
  for (const { id, type, config } of watching) {
    if (type !== "threshold") continue;
    const threshold = ThresholdConfig.parse(config);
    const { metric } = threshold;
    const value = measured.get(metric) ?? (await metricNow(sql, metrics, metric, now));
    measured.set(metric, value);
    if (isFulfilled(threshold, value)) fulfilled.set(id, { metric, value });
  }
  return fulfilled;
}

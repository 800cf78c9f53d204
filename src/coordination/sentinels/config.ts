import * as z from "zod";
import type { Issue } from "../../operation/errors.ts";
import { Id, int, ProjectName, str } from "../../operation/fields.ts";
import { issuesOf, parseInput } from "../../operation/parse.ts";
import type { SentinelType } from "./record.ts";

/** The metrics that a threshold can watch, besides `calls.<functionId>`. */
export const metricNames = [
  "sessions.active",
  "sessions.total",
  "observations.total",
  "observations.errors_last_hour",
  "memories.total",
  "memories.latest",
  "actions.pending",
  "actions.active",
  "actions.blocked",
  "actions.done",
  "signals.unread",
  "jobs.queued",
  "jobs.failed",
] as const;
export type MetricName = (typeof metricNames)[number];

/** The prefix of a function id in a metric: how often the function was called since the daemon started. */
export const callsPrefix = "calls.";

/** For people: which metrics there are. */
export const metricChoice = `must be one of ${metricNames.join(", ")}, or calls.<functionId>`;

const Metric = Id.refine(
  (name) =>
    metricNames.some((known) => known === name) ||
    (name.startsWith(callsPrefix) && name.length > callsPrefix.length),
  metricChoice,
);

const longestTimerMs = 31_536_000_000;

export const TimerConfig = z.looseObject({ durationMs: int(1, longestTimerMs) });

export const ThresholdConfig = z.looseObject({
  metric: Metric,
  operator: z.enum(["gt", "lt", "eq"]),
  value: z.number(),
});
export type ThresholdConfig = z.infer<typeof ThresholdConfig>;

export const PatternConfig = z.looseObject({
  pattern: str(500),
  field: z.enum(["title", "narrative", "any"]).default("title"),
  project: ProjectName.optional(),
});
export type PatternConfig = z.infer<typeof PatternConfig>;

/** The required configuration of each type of sentinel; further fields are kept. */
const configs: Readonly<Record<SentinelType, z.ZodType>> = {
  webhook: z.looseObject({ path: str(200) }),
  timer: TimerConfig,
  threshold: ThresholdConfig,
  pattern: PatternConfig,
  approval: z.unknown(),
  custom: z.unknown(),
};

type Config = Readonly<Record<string, unknown>>;

const whole = (type: SentinelType) => z.object({ config: configs[type] });

/** The faults in a sentinel's configuration, as far as its schema can tell; empty when there are none. */
export function configFaults(type: SentinelType, config: Config): readonly Issue[] {
  const { error } = whole(type).safeParse({ config });
  return error === undefined ? [] : issuesOf(error, { config });
}

/** Error: invalid_input, with the faults in the configuration. */
export function refuseFaults(type: SentinelType, config: Config): void {
  parseInput(whole(type), { config });
}

import { MemsvcError } from "../../operation/errors.ts";
import { isFunctionId } from "../../operation/function-ids.ts";
import type { Metrics } from "../../operation/metrics.ts";
import { firstNumber, type Sql, type SqlValue } from "../../store/sql.ts";
import { hourMs } from "../../time/durations.ts";
import { callsPrefix, type MetricName, metricChoice, type ThresholdConfig } from "./config.ts";

interface Counting {
  /** A query that returns one number; must be answered by an index. */
  readonly query: string;
  readonly args?: (now: number) => SqlValue[];
}

const inOpen = (status: string): Counting => ({
  query: "SELECT count(*) FROM actions WHERE status = ? AND sketch_id IS NULL",
  args: () => [status],
});
const jobs = (status: string): Counting => ({
  query: "SELECT count(*) FROM jobs WHERE status = ?",
  args: () => [status],
});

const countings: Readonly<Record<MetricName, Counting>> = {
  "sessions.active": { query: "SELECT count(*) FROM sessions WHERE status = 'active'" },
  "sessions.total": { query: "SELECT count(*) FROM sessions" },
  // Each session stores the number of its observations, and sessions are far fewer than observations.
  "observations.total": { query: "SELECT coalesce(sum(observation_count), 0) FROM sessions" },
  "observations.errors_last_hour": {
    query: "SELECT count(*) FROM observations WHERE timestamp > ? AND timestamp <= ? AND type = 'error'",
    args: (now) => [now - hourMs, now],
  },
  "memories.total": { query: "SELECT count(*) FROM memories" },
  "memories.latest": { query: "SELECT count(*) FROM memories WHERE is_latest = 1" },
  "actions.pending": inOpen("pending"),
  "actions.active": inOpen("active"),
  "actions.blocked": inOpen("blocked"),
  "actions.done": inOpen("done"),
  "signals.unread": {
    query: `SELECT count(*) FROM signals WHERE is_read = 0 AND (recipient IS NULL OR recipient <> sender)
      AND (expires_at IS NULL OR expires_at > ?)`,
    args: (now) => [now],
  },
  "jobs.queued": jobs("queued"),
  "jobs.failed": jobs("failed"),
};

/** The present value of a metric: one of the list, or `calls.<functionId>`. */
export async function metricNow(
  sql: Sql,
  calls: Pick<Metrics, "list">,
  metric: string,
  now: number,
): Promise<number> {
  if (metric.startsWith(callsPrefix)) {
    const functionId = metric.slice(callsPrefix.length);
    return calls.list().find((one) => one.functionId === functionId)?.totalCalls ?? 0;
  }
  // The cast holds: the configuration was checked against the list of metrics.
  const { query, args } = countings[metric as MetricName];
  return firstNumber(sql, query, args?.(now));
}

/**
 * Error: invalid_input for a function that does not exist. (The other metrics were checked with the
 * configuration.)
 */
export async function refuseUnknownMetric(metric: string, metrics: Pick<Metrics, "list">): Promise<void> {
  if (!metric.startsWith(callsPrefix)) return;
  const functionId = metric.slice(callsPrefix.length);
  if (await isFunctionId(functionId, metrics)) return;
  const path = "config.metric";
  const message = `${metricChoice}; there is no function ${functionId}`;
  throw new MemsvcError("invalid_input", `${path}: ${message}`, {
    hint: "use an id under which memsvc health --json counts calls, such as memory.remember",
    issues: [{ path, message }],
  });
}

export function isFulfilled(
  { operator, value }: Pick<ThresholdConfig, "operator" | "value">,
  current: number,
): boolean {
  switch (operator) {
    case "gt":
      return current > value;
    case "lt":
      return current < value;
    case "eq":
      return current === value;
  }
}

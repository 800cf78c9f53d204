import type { Ground } from "../ground.ts";
import { dayMs } from "../time/durations.ts";
import type { LlmPurpose } from "./language-model.ts";

/*
 * Accounts for model calls in database rows, so that a restart does not renew the day's budget, and several processes
 * share one.
 */

type Books = Pick<Ground, "store" | "now">;

interface CallCount {
  readonly purpose: LlmPurpose;
  readonly failed: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

interface PurposeUsage {
  readonly calls: number;
  readonly failures: number;
  readonly tokens: number;
}

interface UsageToday {
  readonly calls: number;
  readonly tokens: number;
  readonly byPurpose: Readonly<Record<string, PurposeUsage>>;
}

/** Used if the store does not answer, or nothing was used today. */
export const nothingUsed: UsageToday = { calls: 0, tokens: 0, byPurpose: {} };

export async function countCall({ store, now }: Books, call: CallCount): Promise<void> {
  await store.write((tx) =>
    tx.sql.run(
      `INSERT INTO llm_usage (day, purpose, calls, failures, input_tokens, output_tokens) VALUES (?, ?, 1, ?, ?, ?)
       ON CONFLICT (day, purpose) DO UPDATE SET calls = calls + 1, failures = failures + excluded.failures,
         input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens`,
      [dayOf(now()), call.purpose, call.failed ? 1 : 0, call.inputTokens, call.outputTokens],
    ),
  );
}

export async function usageToday({ store, now }: Books): Promise<UsageToday> {
  const rows = await store.read.sql.all<PurposeUsage & { purpose: string }>(
    `SELECT purpose, calls, failures, input_tokens + output_tokens AS tokens FROM llm_usage
     WHERE day = ? ORDER BY purpose`,
    [dayOf(now())],
  );
  return {
    calls: rows.reduce((sum, { calls }) => sum + calls, 0),
    tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
    byPurpose: Object.fromEntries(rows.map(({ purpose, ...usage }) => [purpose, usage])),
  };
}

/** Milliseconds until the next day (UTC), when a new budget begins. */
export function untilTomorrow(now: number): number {
  return dayMs - (now % dayMs);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

import type { Ground } from "../../ground.ts";
import { timeAfter } from "../../operation/fields.ts";
import type { Transaction } from "../../store/store.ts";
import { dependentsOf } from "../actions/gates.ts";
import type { ExpiryStep } from "../clockwork.ts";
import { alertExpiry, storeEnds } from "../end-gate.ts";
import { keepLength } from "../keep-length.ts";
import { TimerConfig } from "./config.ts";
import { sentinelFamily } from "./gate.ts";
import type { SentinelRow } from "./record.ts";

type Timed = Pick<SentinelRow, "type" | "config" | "createdAt" | "expiresAt">;

/**
 * A pattern is not overdue while the next observation to be matched arrived before its deadline: that one may
 * trigger it.
 */
const isOverdue = `status = 'watching' AND due_at <= ?1 AND NOT (type = 'pattern' AND EXISTS (
  SELECT 1 FROM (SELECT received_at FROM observations WHERE seq > looked_at_seq ORDER BY seq LIMIT 1)
  WHERE received_at <= due_at))`;

/** Sentinels whose watch is over at the time `?1`. */
export const overdueSentinels = `SELECT id FROM sentinels WHERE ${isOverdue}`;

/** When the watch ends, in milliseconds since 1970; null for never. */
export function dueAt(sentinel: Timed): number | null {
  const ends = [goesOffAt(sentinel), sentinel.expiresAt].filter((time) => time !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Not for patterns: a pattern matches what arrives from its creation on, so that time must not become a later one. */
export const sentinelLength = keepLength({
  table: "sentinels",
  waits: "status = 'watching' AND type <> 'pattern'",
  times: ["expires_at", "due_at"],
});

/**
 * When its time has come, a timer is triggered. Any other sentinel expires, and if actions wait for it an
 * alert is sent to everybody.
 */
export const sentinelExpiry: ExpiryStep = {
  name: "sentinels",
  due: `${overdueSentinels} LIMIT 1`,
  carryOut: async (tx, ground) => [
    ...(await triggerTimers(tx, ground)),
    ...(await expireOverdue(tx, ground)),
  ],
};

/** Triggers the timers that are due and did not expire first. Returns their ids. */
export async function triggerTimers(tx: Transaction, ground: Pick<Ground, "now">): Promise<string[]> {
  const now = ground.now();
  const overdue = await sentinelFamily.rows.select(tx.sql, `WHERE ${isOverdue} AND type = 'timer'`, [now]);
  const triggered = overdue
    .filter((row) => goesOffAt(row) === row.dueAt)
    .map((row) => ({ ...row, status: "triggered" as const, triggeredAt: row.dueAt, updatedAt: now }));
  await storeEnds(tx, ground, sentinelFamily, triggered);
  return triggered.map(({ id }) => id);
}

/** Expires every other sentinel that is overdue; has to run after `triggerTimers`. Returns their ids. */
async function expireOverdue(tx: Transaction, ground: Ground): Promise<string[]> {
  const now = ground.now();
  const expired = await sentinelFamily.rows.select(tx.sql, `WHERE ${isOverdue}`, [now]);
  for (const row of expired) {
    const waiting = await dependentsOf(tx.sql, [row.id]);
    const escalatedAt = waiting.length > 0 ? now : null;
    await storeEnds(tx, ground, sentinelFamily, [{ ...row, status: "expired", escalatedAt, updatedAt: now }]);
    if (waiting.length > 0) await alertExpiry(tx, ground, sentinelFamily, row, waiting);
  }
  return expired.map(({ id }) => id);
}

function goesOffAt({ type, config, createdAt }: Timed): number | null {
  return type === "timer" ? timeAfter(createdAt, TimerConfig.parse(config).durationMs) : null;
}

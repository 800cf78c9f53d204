import type { Ground } from "../../ground.ts";
import type { Metrics } from "../../operation/metrics.ts";
import { firstNumber, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { storeEnds } from "../end-gate.ts";
import { fulfilledThresholds, type PatternLook, type Results } from "./conditions.ts";
import { sentinelFamily } from "./gate.ts";
import type { SentinelRow } from "./record.ts";

/** The `seq` of the newest observation; 0 when there is none. */
export function newestSeq(sql: Sql): Promise<number> {
  return firstNumber(sql, "SELECT max(seq) FROM observations");
}

/** The sentinels that are watching, oldest first. */
export function watchingSentinels(sql: Sql): Promise<SentinelRow[]> {
  return sentinelFamily.rows.select(sql, "WHERE status = 'watching' ORDER BY created_at, id", []);
}

/**
 * Stores how far patterns have been matched, and triggers the patterns that were matched before their
 * deadline although the deadline is over by now. Returns their ids.
 */
export async function triggerInTime(
  tx: Transaction,
  { now }: Pick<Ground, "now">,
  { matched, watched, lookedAtSeq }: PatternLook,
): Promise<string[]> {
  if (lookedAtSeq !== undefined) {
    await tx.sql.run(
      `UPDATE sentinels SET looked_at_seq = max(looked_at_seq, ?)
       WHERE id IN (SELECT value FROM json_each(?))`,
      [lookedAtSeq, JSON.stringify(watched)],
    );
  }
  const isOver = ({ dueAt }: SentinelRow) => dueAt !== null && dueAt <= now();
  return triggerAll(tx, { now }, (await watchingSentinels(tx.sql)).filter(isOver), matched);
}

/**
 * Triggers, of the sentinels that still watch, the patterns that were matched and the thresholds that are met
 * now. Returns the triggered ids, and how many sentinels were watching.
 */
export async function triggerFulfilled(
  tx: Transaction,
  { now }: Pick<Ground, "now">,
  metrics: Pick<Metrics, "list">,
  { matched }: PatternLook,
): Promise<{ triggered: string[]; watching: number }> {
  const watching = await watchingSentinels(tx.sql);
  const results = new Map([...matched, ...(await fulfilledThresholds(tx.sql, metrics, watching, now()))]);
  return { triggered: await triggerAll(tx, { now }, watching, results), watching: watching.length };
}

async function triggerAll(
  tx: Transaction,
  { now }: Pick<Ground, "now">,
  rows: readonly SentinelRow[],
  results: Results,
): Promise<string[]> {
  const ended = rows.flatMap((row) => {
    const result = results.get(row.id);
    const status = "triggered" as const;
    return result === undefined ? [] : [{ ...row, status, result, triggeredAt: now(), updatedAt: now() }];
  });
  await storeEnds(tx, { now }, sentinelFamily, ended);
  return ended.map(({ id }) => id);
}

import type { Ground } from "../../ground.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { reevaluateDependents } from "../actions/gates.ts";
import type { Look } from "./conditions.ts";

/** The observation that arrived last, by its order of arrival; 0 when there is none. */
export async function newestSeq(sql: Sql): Promise<number> {
  const row = await firstRow<{ seq: number | null }>(sql, "SELECT max(seq) AS seq FROM observations");
  return row?.seq ?? 0;
}

/** Triggers those whose condition was fulfilled, unless their watch ended meanwhile, and remembers what was looked at. */
export async function storeLook(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  { met, watched, lookedAtSeq }: Look,
): Promise<string[]> {
  if (lookedAtSeq !== undefined) {
    await tx.sql.run(
      `UPDATE sentinels SET looked_at_seq = max(looked_at_seq, ?)
       WHERE id IN (SELECT value FROM json_each(?))`,
      [lookedAtSeq, JSON.stringify(watched)],
    );
  }
  const triggered: string[] = [];
  for (const [id, result] of met) {
    const { changes } = await tx.sql.run(
      `UPDATE sentinels SET status = 'triggered', triggered_at = ?1, updated_at = ?1, result = ?2
       WHERE id = ?3 AND status = 'watching'`,
      [ground.now(), JSON.stringify(result), id],
    );
    if (changes > 0) triggered.push(id);
  }
  await reevaluateDependents(tx, ground, triggered);
  return triggered;
}

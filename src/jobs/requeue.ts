import type { Ground } from "../ground.ts";
import type { Transaction } from "../store/store.ts";

/*
 * Puts jobs that were given up back into the queue. If a newer job for the same work is queued, that one does it, and
 * the old one counts as done.
 */

/** Gives jobs that failed for good one more try. Returns their ids. */
export function requeueFailed(tx: Transaction, ground: Ground): Promise<string[]> {
  return requeue(tx, ground, "status = 'failed'", []);
}

/** Puts back jobs whose claim ran out before a time. Returns their ids. */
export function requeueStuck(tx: Transaction, ground: Ground, claimedBefore: number): Promise<string[]> {
  return requeue(tx, ground, "status = 'running' AND claimed_until < ?2", [claimedBefore]);
}

/** Does not reset the attempts, so that a job which fails once more has failed for good again. */
async function requeue(
  tx: Transaction,
  ground: Ground,
  condition: string,
  args: readonly number[],
): Promise<string[]> {
  const now = ground.now();
  const chosen = `SELECT max(id) FROM jobs WHERE ${condition} GROUP BY kind, key`;
  const rows = await tx.sql.all<{ id: string }>(
    `UPDATE jobs SET status = 'queued', run_after = ?1, updated_at = ?1 WHERE id IN (${chosen})
       AND NOT EXISTS (SELECT 1 FROM jobs AS twin WHERE twin.kind = jobs.kind AND twin.key = jobs.key AND twin.status = 'queued')
     RETURNING id`,
    [now, ...args],
  );
  await tx.sql.run(`UPDATE jobs SET status = 'done', updated_at = ?1 WHERE ${condition}`, [now, ...args]);
  ground.wakeJobs();
  return rows.map(({ id }) => id);
}

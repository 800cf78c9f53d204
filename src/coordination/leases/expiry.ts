import { clockPlayMs } from "../../jobs/wrong-clock.ts";
import { releaseWork } from "../actions/working-state.ts";
import type { ExpiryStep } from "../clockwork.ts";
import { longestLeaseMs } from "./record.ts";

/**
 * Leases that are over at the time `?1`. A lease that ends later than any lease can was taken while the clock
 * was ahead.
 */
export const overdueLeases = `SELECT id FROM leases WHERE status = 'active'
  AND (expires_at <= ?1 OR expires_at > ?1 + ${longestLeaseMs + clockPlayMs})`;

/** A lease that is over expires, and its action becomes available to others. */
export const leaseExpiry: ExpiryStep = {
  name: "leases",
  due: `${overdueLeases} LIMIT 1`,
  carryOut: async (tx, ground) => {
    const ended = await tx.sql.all<{ id: string; actionId: string }>(
      `UPDATE leases SET status = 'expired' WHERE id IN (${overdueLeases}) RETURNING id, action_id AS actionId`,
      [ground.now()],
    );
    await releaseWork(
      tx,
      ground,
      ended.map(({ actionId }) => actionId),
    );
    return ended.map(({ id }) => id);
  },
};

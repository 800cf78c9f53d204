import { clockPlayMs } from "../../jobs/wrong-clock.ts";
import { releaseWork } from "../actions/working-state.ts";
import type { ExpiryStep } from "../clockwork.ts";
import { longestLeaseMs } from "./record.ts";

/** Leases that are over at the time `?1`. */
export const overdueLeases = "SELECT id FROM leases WHERE status = 'active' AND expires_at <= ?1";

const isAhead = `status = 'active' AND coalesce(renewed_at, acquired_at) > ?1 + ${clockPlayMs}`;

/**
 * For leases that were taken or renewed before the clock was set back: they count as taken now, for as long as then.
 * Otherwise they might last for a year; ended at once, somebody else might begin what their holders are working on.
 */
export const leaseLength: ExpiryStep = {
  name: "leases",
  due: `SELECT 1 FROM leases WHERE ${isAhead} LIMIT 1`,
  carryOut: async (tx, { now }) => {
    await tx.sql.run(
      `UPDATE leases SET expires_at = ?1 + min(${longestLeaseMs}, expires_at - coalesce(renewed_at, acquired_at)),
         acquired_at = min(acquired_at, ?1), renewed_at = min(renewed_at, ?1) WHERE ${isAhead}`,
      [now()],
    );
    return [];
  },
};

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

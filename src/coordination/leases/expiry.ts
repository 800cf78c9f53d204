import { putBack } from "../actions/working-state.ts";
import type { ExpiryStep } from "../clockwork.ts";

/** A lease whose time has come ends, and its action is there for others. */
export const leaseExpiry: ExpiryStep = {
  name: "leases",
  due: "SELECT 1 FROM leases WHERE status = 'active' AND expires_at <= ?1 LIMIT 1",
  carryOut: async (tx, ground) => {
    const ended = await tx.sql.all<{ id: string; actionId: string }>(
      `UPDATE leases SET status = 'expired' WHERE status = 'active' AND expires_at <= ?
       RETURNING id, action_id AS actionId`,
      [ground.now()],
    );
    await putBack(
      tx,
      ground,
      ended.map(({ actionId }) => actionId),
    );
    return ended.map(({ id }) => id);
  },
};

import { dependentsOf } from "../actions/gates.ts";
import type { ExpiryStep } from "../clockwork.ts";
import { alertExpiry, storeEnds } from "../end-gate.ts";
import { keepLength } from "../keep-length.ts";
import { checkpointFamily } from "./gate.ts";

const due = "WHERE status = 'pending' AND expires_at <= ?1";

export const checkpointLength = keepLength({
  table: "checkpoints",
  waits: "status = 'pending'",
  times: ["expires_at"],
});

/**
 * When its time has come, a timer passes. Any other undecided checkpoint expires, and an alert is sent to
 * everybody.
 */
export const checkpointExpiry: ExpiryStep = {
  name: "checkpoints",
  due: `SELECT 1 FROM checkpoints ${due} LIMIT 1`,
  carryOut: async (tx, ground) => {
    const now = ground.now();
    const ended = (await checkpointFamily.rows.select(tx.sql, due, [now])).map((row) =>
      row.type === "timer"
        ? {
            ...row,
            status: "passed" as const,
            resolvedAt: row.expiresAt,
            resolvedBy: "timer",
            updatedAt: now,
          }
        : { ...row, status: "expired" as const, updatedAt: now },
    );
    await storeEnds(tx, ground, checkpointFamily, ended);
    for (const row of ended) {
      if (row.status === "expired")
        await alertExpiry(tx, ground, checkpointFamily, row, await dependentsOf(tx.sql, [row.id]));
    }
    return ended.map(({ id }) => id);
  },
};

import { dependentsOf, reevaluateDependents } from "../actions/gates.ts";
import type { ExpiryStep } from "../clockwork.ts";
import { sendAlert } from "../signals/sending.ts";
import type { CheckpointRow } from "./record.ts";

const due = "status = 'pending' AND expires_at <= ?1";

/** Time lets a timer pass. Any other checkpoint that nobody decided on expires, which everybody is told. */
export const checkpointExpiry: ExpiryStep = {
  name: "checkpoints",
  due: `SELECT 1 FROM checkpoints WHERE ${due} LIMIT 1`,
  carryOut: async (tx, ground) => {
    const ended = await tx.sql.all<Pick<CheckpointRow, "id" | "name" | "type">>(
      `UPDATE checkpoints SET updated_at = ?1,
         status = iif(type = 'timer', 'passed', 'expired'),
         resolved_at = iif(type = 'timer', expires_at, NULL),
         resolved_by = iif(type = 'timer', 'timer', NULL)
       WHERE ${due} RETURNING id, name, type`,
      [ground.now()],
    );
    const ids = ended.map(({ id }) => id);
    await reevaluateDependents(tx, ground, ids);
    for (const { id, name, type } of ended) {
      if (type === "timer") continue;
      const content = `checkpoint "${name}" expired undecided; what it gates stays blocked until it is resolved`;
      await sendAlert(tx, ground, content, { checkpointId: id, actionIds: await dependentsOf(tx.sql, [id]) });
    }
    return ids;
  },
};

import { timeAfter } from "../../operation/fields.ts";
import { TableRows } from "../../store/table-rows.ts";
import { dependentsOf, reevaluateDependents } from "../actions/gates.ts";
import type { ExpiryStep } from "../clockwork.ts";
import { sendAlert } from "../signals/sending.ts";
import { TimerConfig } from "./config.ts";
import type { SentinelRow } from "./record.ts";
import { sentinels } from "./tables.ts";

type Timed = Pick<SentinelRow, "type" | "config" | "createdAt" | "expiresAt">;

const rows = new TableRows(sentinels, { key: ["id"] });

/** Sentinels that time has ended the watch of, at the time `?1`. */
export const overdueSentinels = "SELECT id FROM sentinels WHERE status = 'watching' AND due_at <= ?1";

/** When time ends the watch, in milliseconds since 1970; null: never. */
export function dueAt(sentinel: Timed): number | null {
  const ends = [goesOffAt(sentinel), sentinel.expiresAt].filter((time) => time !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Time triggers a timer. Any other sentinel expires, and everybody is told when actions wait for it. */
export const sentinelExpiry: ExpiryStep = {
  name: "sentinels",
  due: `${overdueSentinels} LIMIT 1`,
  carryOut: async (tx, ground) => {
    const now = ground.now();
    const due = await rows.select(tx.sql, `WHERE id IN (${overdueSentinels})`, [now]);
    for (const row of due) {
      const triggeredAt = goesOffAt(row);
      if (triggeredAt !== null && triggeredAt === row.dueAt) {
        await rows.put(tx.sql, { ...row, status: "triggered", triggeredAt, updatedAt: now });
        continue;
      }
      const waiting = await dependentsOf(tx.sql, [row.id]);
      const escalatedAt = waiting.length > 0 ? now : null;
      await rows.put(tx.sql, { ...row, status: "expired", escalatedAt, updatedAt: now });
      if (waiting.length === 0) continue;
      const content = `sentinel "${row.name}" expired untriggered; what it gates stays blocked until it is cancelled`;
      await sendAlert(tx, ground, content, { sentinelId: row.id, actionIds: waiting });
    }
    const ids = due.map(({ id }) => id);
    await reevaluateDependents(tx, ground, ids);
    return ids;
  },
};

function goesOffAt({ type, config, createdAt }: Timed): number | null {
  return type === "timer" ? timeAfter(createdAt, TimerConfig.parse(config).durationMs) : null;
}

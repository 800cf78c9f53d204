import { type Check, recordsFound } from "../../governance/diagnostics/check.ts";
import type { Ground } from "../../ground.ts";
import { firstColumn } from "../../store/sql.ts";
import { dayMs } from "../../time/durations.ts";
import { abandonInactive } from "./abandon-stale.ts";
import { recountObservations } from "./activity.ts";

const silenceMs = dayMs;

const miscounted = `SELECT id FROM sessions WHERE observation_count <>
  (SELECT count(*) FROM observations WHERE session_id = sessions.id) ORDER BY id`;

/** Checks of `doctor` on sessions. */
export function sessionChecks(ground: Ground): Check[] {
  const silentSince = () => ground.now() - silenceMs;
  return [
    {
      category: "sessions",
      name: "abandoned-session",
      find: recordsFound(
        "SELECT id FROM sessions WHERE status = 'active' AND updated_at < ? ORDER BY id",
        "warn",
        (count) => `${count} active without a sign of life for more than a day`,
        () => [silentSince()],
      ),
      heal: async (tx) => {
        const ids = await abandonInactive(tx, ground, silentSince());
        return { details: ids.map((id) => `session ${id} counts as abandoned`) };
      },
    },
    {
      category: "sessions",
      name: "session-count-mismatch",
      find: recordsFound(
        miscounted,
        "fail",
        (count) => `${count} whose count differs from the stored observations`,
      ),
      heal: async (tx) => {
        const ids = await firstColumn(tx.sql, miscounted);
        for (const id of ids) await recountObservations(tx.sql, id);
        return { details: ids.map((id) => `session ${id} was counted again`) };
      },
    },
  ];
}

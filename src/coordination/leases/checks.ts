import { type Check, recordsFound } from "../../governance/diagnostics/check.ts";
import type { Ground } from "../../ground.ts";
import { firstColumn } from "../../store/sql.ts";
import { leaseExpiry, overdueLeases } from "./expiry.ts";

const unheld = `SELECT id FROM actions WHERE status = 'active' AND sketch_id IS NULL
  AND NOT EXISTS (SELECT 1 FROM leases WHERE action_id = actions.id AND status = 'active')`;
const orphaned = `SELECT id FROM leases WHERE status = 'active' AND NOT EXISTS
  (SELECT 1 FROM actions WHERE id = leases.action_id AND status NOT IN ('done', 'cancelled'))`;

/** Checks of `doctor` on leases and their actions. */
export function leaseChecks(ground: Ground): readonly Check[] {
  return [
    {
      category: "actions",
      name: "active-no-lease",
      hint: "reset one that nobody works on: memsvc action update <id> --status pending",
      find: recordsFound(unheld, "warn", (count) => `${count} active that nobody holds`),
    },
    {
      category: "leases",
      name: "expired-lease",
      find: recordsFound(
        overdueLeases,
        "fail",
        (count) => `${count} still active after their time`,
        () => [ground.now()],
      ),
      heal: async (tx) => {
        const ids = await leaseExpiry.carryOut(tx, ground);
        return { details: ids.map((id) => `lease ${id} has expired`) };
      },
    },
    {
      category: "leases",
      name: "orphaned-lease",
      find: recordsFound(orphaned, "fail", (count) => `${count} on actions that are finished or gone`),
      heal: async (tx) => {
        const ids = await firstColumn(tx.sql, orphaned);
        await tx.sql.run(
          "UPDATE leases SET status = 'released' WHERE id IN (SELECT value FROM json_each(?))",
          [JSON.stringify(ids)],
        );
        return { details: ids.map((id) => `lease ${id} is closed`) };
      },
    },
  ];
}

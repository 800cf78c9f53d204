import { type Check, recordsFound } from "../../governance/diagnostics/check.ts";
import type { Ground } from "../../ground.ts";
import { overdueSentinels, sentinelExpiry } from "./expiry.ts";

const missingActions = `SELECT DISTINCT s.id FROM sentinels s, json_each(s.linked_action_ids) linked
  WHERE s.status = 'watching' AND NOT EXISTS (SELECT 1 FROM actions WHERE id = linked.value)`;

/** Checks of `doctor` on sentinels. */
export function sentinelChecks(ground: Ground): readonly Check[] {
  return [
    {
      category: "sentinels",
      name: "expired-sentinel",
      find: recordsFound(
        overdueSentinels,
        "fail",
        (count) => `${count} watch on although their time has come`,
        () => [ground.now()],
      ),
      heal: async (tx) => {
        const ids = await sentinelExpiry.carryOut(tx, ground);
        return { details: ids.map((id) => `sentinel ${id} watches no longer`) };
      },
    },
    {
      category: "sentinels",
      name: "sentinel-missing-action",
      hint: "cancel one that is no longer needed: memsvc sentinel cancel <id>",
      find: recordsFound(missingActions, "warn", (count) => `${count} watch for actions that are gone`),
    },
  ];
}

import type { Check, Finding } from "../../governance/diagnostics/check.ts";
import type { Ground } from "../../ground.ts";
import { firstColumn } from "../../store/sql.ts";
import type { Connection } from "../../store/store.ts";
import { reevaluate, unmetGates } from "./gates.ts";

const waiting =
  "SELECT id FROM actions WHERE status = 'blocked' AND block_reason = 'edges' AND sketch_id IS NULL";
const free = "SELECT id FROM actions WHERE status = 'pending' AND sketch_id IS NULL";

/** Checks of `doctor` on actions and their gates. */
export function actionChecks(ground: Ground): readonly Check[] {
  return [
    gateCheck(ground, {
      name: "blocked-deps-done",
      idsIn: async (connection) => {
        const ids = await firstColumn(connection.sql, waiting);
        const unmet = await unmetGates(connection.sql, ids);
        return ids.filter((id) => !unmet.has(id));
      },
      message: (count) => `${count} blocked although everything that they wait for is so`,
      healed: (id) => `action ${id} is pending`,
    }),
    gateCheck(ground, {
      name: "pending-unsatisfied-deps",
      idsIn: async (connection) => [
        ...(await unmetGates(connection.sql, await firstColumn(connection.sql, free))).keys(),
      ],
      message: (count) => `${count} pending although they have to wait`,
      healed: (id) => `action ${id} is blocked`,
    }),
  ];
}

interface GateCheck {
  readonly name: string;
  readonly idsIn: (connection: Connection) => Promise<string[]>;
  readonly message: (count: number) => string;
  readonly healed: (id: string) => string;
}

const mostIds = 1_000;

function gateCheck(ground: Ground, { name, idsIn, message, healed }: GateCheck): Check {
  return {
    category: "actions",
    name,
    find: async (connection): Promise<Finding | undefined> => {
      const ids = await idsIn(connection);
      if (ids.length === 0) return undefined;
      return { status: "fail", message: message(ids.length), ids: ids.slice(0, mostIds), count: ids.length };
    },
    heal: async (tx) => {
      const { blocked, unblocked } = await reevaluate(tx, ground, await idsIn(tx));
      const ids = [...blocked, ...unblocked];
      return { details: ids.map(healed) };
    },
  };
}

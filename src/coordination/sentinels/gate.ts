import { TableRows } from "../../store/table-rows.ts";
import type { GateKind } from "../actions/gates.ts";
import type { GateFamily } from "../end-gate.ts";
import type { SentinelRow } from "./record.ts";
import { sentinels } from "./tables.ts";

export const sentinelFamily: GateFamily<SentinelRow> = {
  kind: "sentinel",
  rows: new TableRows(sentinels, { key: ["id"] }),
  expired: { without: "untriggered", opensWhen: "cancelled" },
};

/** A sentinel holds its actions up until it is triggered or cancelled. */
export const sentinelGate: GateKind = {
  kind: "sentinel",
  find: async (sql, ids) => {
    const rows = await sql.all<Pick<SentinelRow, "id" | "name" | "status">>(
      "SELECT id, name, status FROM sentinels WHERE id IN (SELECT value FROM json_each(?))",
      [JSON.stringify(ids)],
    );
    return rows.map(({ id, name, status }) => ({
      id,
      title: name,
      status,
      isOpen: status === "triggered" || status === "cancelled",
    }));
  },
};

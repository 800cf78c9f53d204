import { TableRows } from "../../store/table-rows.ts";
import type { GateKind } from "../actions/gates.ts";
import type { GateFamily } from "../end-gate.ts";
import type { CheckpointRow } from "./record.ts";
import { checkpoints } from "./tables.ts";

export const checkpointFamily: GateFamily<CheckpointRow> = {
  kind: "checkpoint",
  rows: new TableRows(checkpoints, { key: ["id"] }),
  expired: { without: "undecided", opensWhen: "resolved" },
};

/** A checkpoint opens the gate of its actions when it passes, and by nothing else. */
export const checkpointGate: GateKind = {
  kind: "checkpoint",
  find: async (sql, ids) => {
    const rows = await sql.all<Pick<CheckpointRow, "id" | "name" | "status">>(
      "SELECT id, name, status FROM checkpoints WHERE id IN (SELECT value FROM json_each(?))",
      [JSON.stringify(ids)],
    );
    return rows.map(({ id, name, status }) => ({ id, title: name, status, isOpen: status === "passed" }));
  },
};

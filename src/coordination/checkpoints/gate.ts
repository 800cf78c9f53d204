import { TableRows } from "../../store/table-rows.ts";
import type { GateFamily } from "../gate-family.ts";
import type { CheckpointRow } from "./record.ts";
import { checkpoints } from "./tables.ts";

export const checkpointFamily: GateFamily<CheckpointRow> = {
  kind: "checkpoint",
  rows: new TableRows(checkpoints, { key: ["id"] }),
  openWhen: ["passed"],
  expired: { without: "undecided", opensWhen: "resolved" },
};

import { TableRows } from "../../store/table-rows.ts";
import type { GateFamily } from "../gate-family.ts";
import type { SentinelRow } from "./record.ts";
import { sentinels } from "./tables.ts";

export const sentinelFamily: GateFamily<SentinelRow> = {
  kind: "sentinel",
  rows: new TableRows(sentinels, { key: ["id"] }),
  openWhen: ["triggered", "cancelled"],
  expired: { without: "untriggered", opensWhen: "cancelled" },
};

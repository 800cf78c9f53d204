import type { Sql, SqlValue } from "../store/sql.ts";

export interface GateRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

interface GateRows<Row extends GateRow> {
  select(sql: Sql, tail: string, args: readonly SqlValue[]): Promise<Row[]>;
  put(sql: Sql, row: Row): Promise<void>;
}

/** A family of records that gate actions. */
export interface GateFamily<Row extends GateRow> {
  readonly kind: "checkpoint" | "sentinel";
  readonly rows: GateRows<Row>;
  /** The statuses in which the gate is open. */
  readonly openWhen: readonly Row["status"][];
  /** Words for the alert on an expired gate: what was not done to it, and what would still open it. */
  readonly expired: { readonly without: string; readonly opensWhen: string };
}

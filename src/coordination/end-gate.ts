import type { Ground } from "../ground.ts";
import { MemsvcError } from "../operation/errors.ts";
import type { Transaction } from "../store/store.ts";
import { reevaluateDependents } from "./actions/gates.ts";
import type { GateFamily, GateRow } from "./gate-family.ts";
import { sendAlert, withdrawAlerts } from "./signals/sending.ts";

/*
 * How checkpoints and sentinels end, by a request or by expiry: the transaction that stores the end also
 * unblocks the actions that waited for nothing else.
 */

/**
 * Ends a gate: `endOf` returns the new row, or throws to refuse. Returns the ended gate and the unblocked
 * actions. Error: not_found.
 */
export async function endGate<Row extends GateRow>(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  family: GateFamily<Row>,
  id: string,
  endOf: (row: Row) => Row,
): Promise<{ ended: Row; unblocked: string[] }> {
  const [row] = await family.rows.select(tx.sql, "WHERE id = ?", [id]);
  if (row === undefined) {
    throw new MemsvcError("not_found", `${family.kind} ${id} is not known`, {
      hint: `list the ${family.kind}s: memsvc ${family.kind} list`,
    });
  }
  const ended = endOf(row);
  await withdrawAlerts(tx, ground, idField(family), id);
  return { ended, unblocked: await storeEnds(tx, ground, family, [ended]) };
}

/** Stores gates that have ended. Returns the unblocked actions. */
export async function storeEnds<Row extends GateRow>(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  { rows }: GateFamily<Row>,
  ended: readonly Row[],
): Promise<string[]> {
  if (ended.length === 0) return [];
  for (const row of ended) await rows.put(tx.sql, row);
  const ids = ended.map(({ id }) => id);
  return (await reevaluateDependents(tx, ground, ids)).unblocked;
}

/** Sends everybody an alert about a gate that expired and the actions that it keeps blocked. */
export async function alertExpiry<Row extends GateRow>(
  tx: Transaction,
  ground: Pick<Ground, "now" | "newId">,
  family: GateFamily<Row>,
  { id, name }: Row,
  actionIds: readonly string[],
): Promise<void> {
  const { without, opensWhen } = family.expired;
  const content = `${family.kind} "${name}" expired ${without}; what it gates stays blocked until it is ${opensWhen}`;
  await sendAlert(tx, ground, content, { [idField(family)]: id, actionIds });
}

/** The field of an alert's metadata that names the gate. */
function idField({ kind }: { readonly kind: string }): string {
  return `${kind}Id`;
}

import type { Writing } from "../governance/transfer/collection.ts";
import { gateActions, reevaluateDependents } from "./actions/gates.ts";

/** Has checkpoints or sentinels that an import wrote gate the actions that they name, as far as those exist. */
export async function linkImported(
  { tx, ground }: Writing,
  gates: readonly { readonly id: string; readonly linkedActionIds: readonly string[] }[],
): Promise<void> {
  for (const { id, linkedActionIds } of gates) {
    const known = await tx.sql.values("SELECT id FROM actions WHERE id IN (SELECT value FROM json_each(?))", [
      JSON.stringify(linkedActionIds),
    ]);
    await gateActions(
      tx,
      ground,
      id,
      known.map(([actionId]) => String(actionId)),
    );
  }
  await reevaluateDependents(
    tx,
    ground,
    gates.map(({ id }) => id),
  );
}

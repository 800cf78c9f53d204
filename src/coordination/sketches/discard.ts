import { eq } from "drizzle-orm";
import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { TableRows } from "../../store/table-rows.ts";
import { deleteActions } from "../actions/deletion.ts";
import { actionsOfSketch } from "../actions/sketch-actions.ts";
import type { ExpiryStep } from "../clockwork.ts";
import { keepLength } from "../keep-length.ts";
import type { SketchRow } from "./record.ts";
import { sketches } from "./tables.ts";

const sketchRows = new TableRows(sketches, { key: ["id"] });

const isOverdue = "status = 'active' AND expires_at <= ?1";

/** Sketches that have expired at the time `?1`. */
export const overdueSketches = `SELECT id FROM sketches WHERE ${isOverdue}`;

/**
 * Discards a sketch and deletes its actions with their edges. Returns the discarded sketch and the ids of its
 * actions.
 */
export async function discardSketch(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  sketch: SketchRow,
): Promise<{ sketch: SketchRow; actionIds: string[] }> {
  const actionIds = await actionsOfSketch(tx, sketch.id);
  await deleteActions(tx, ground, actionIds);
  const discarded: SketchRow = { ...sketch, status: "discarded", discardedAt: ground.now() };
  await tx.orm.update(sketches).set(discarded).where(eq(sketches.id, sketch.id));
  return { sketch: discarded, actionIds };
}

/** Discards every active sketch that has expired. Returns the ids of the sketches and of their actions. */
export async function discardExpired(
  tx: Transaction,
  ground: Pick<Ground, "now">,
): Promise<{ sketchIds: string[]; actionIds: string[] }> {
  const expired = await sketchRows.select(tx.sql, `WHERE ${isOverdue} ORDER BY expires_at, id`, [
    ground.now(),
  ]);
  const actionIds: string[] = [];
  for (const sketch of expired) actionIds.push(...(await discardSketch(tx, ground, sketch)).actionIds);
  return { sketchIds: expired.map(({ id }) => id), actionIds };
}

export const sketchLength = keepLength({
  table: "sketches",
  waits: "status = 'active'",
  times: ["expires_at"],
});

export const sketchExpiry: ExpiryStep = {
  name: "sketches",
  due: `${overdueSketches} LIMIT 1`,
  carryOut: async (tx, ground) => (await discardExpired(tx, ground)).sketchIds,
};

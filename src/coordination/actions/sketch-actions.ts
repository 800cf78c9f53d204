import { and, eq, sql as text } from "drizzle-orm";
import type { ProjectFields } from "../../capture/projects/projects.ts";
import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { reevaluate } from "./gates.ts";
import { actions } from "./tables.ts";

/** The actions that belong to a sketch now. */
export async function actionsOfSketch({ orm }: Transaction, sketchId: string): Promise<string[]> {
  const rows = await orm
    .select({ id: actions.id })
    .from(actions)
    .where(eq(actions.sketchId, sketchId))
    .orderBy(actions.createdAt, actions.id);
  return rows.map(({ id }) => id);
}

/** The ids among these that are not actions of the sketch. */
export async function notInSketch(
  { orm }: Transaction,
  sketchId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await orm
    .select({ id: actions.id })
    .from(actions)
    .where(
      and(
        eq(actions.sketchId, sketchId),
        text`${actions.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  const known = new Set(rows.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => !known.has(id));
}

/**
 * Turns a sketch's actions into ordinary actions, moved to the project if one is given. Returns their ids.
 */
export async function leaveSketch(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  sketchId: string,
  project: ProjectFields | undefined,
): Promise<string[]> {
  const ids = await actionsOfSketch(tx, sketchId);
  await tx.orm
    .update(actions)
    .set({ sketchId: null, updatedAt: ground.now(), ...project })
    .where(eq(actions.sketchId, sketchId));
  await reevaluate(tx, ground, ids);
  return ids;
}

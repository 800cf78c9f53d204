import { and, eq, inArray, isNull, lte, sql as text } from "drizzle-orm";
import type { Ground } from "../../ground.ts";
import { changedAtSql } from "../../store/changed-at.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { inNoSketch } from "./find-actions.ts";
import type { ActionRow } from "./record.ts";
import { actions } from "./tables.ts";

interface Finished {
  /** Only of these projects; if undefined, of all. */
  readonly projectKeys?: readonly string[] | undefined;
  /** Only actions that were done at this time or before, in milliseconds since 1970. */
  readonly before: number;
  readonly limit: number;
}

/** Done actions that are in no crystal yet, in the order of completion. */
export async function notCrystallized(
  { orm }: Pick<Connection, "orm">,
  { projectKeys, before, limit }: Finished,
): Promise<ActionRow[]> {
  return orm
    .select()
    .from(actions)
    .where(
      and(
        eq(actions.status, "done"),
        lte(actions.completedAt, before),
        isNull(actions.crystallizedInto),
        inNoSketch,
        projectKeys === undefined ? undefined : inArray(actions.projectKey, [...projectKeys]),
      ),
    )
    .orderBy(actions.completedAt, actions.id)
    .limit(limit);
}

/** The last finished actions of the projects, in the order of completion. */
export async function lastFinished(
  { orm }: Pick<Connection, "orm">,
  { projectKeys, limit }: { readonly projectKeys: readonly string[]; readonly limit: number },
): Promise<ActionRow[]> {
  const rows = await orm
    .select()
    .from(actions)
    .where(
      and(
        inArray(actions.status, ["done", "cancelled"]),
        inArray(actions.projectKey, [...projectKeys]),
        inNoSketch,
      ),
    )
    .orderBy(text`${actions.completedAt} DESC`, text`${actions.id} DESC`)
    .limit(limit);
  return rows.reverse();
}

/** Records which crystal was made from these actions. */
export async function tieToCrystal(
  { sql }: Transaction,
  { now }: Pick<Ground, "now">,
  ids: readonly string[],
  crystalId: string,
): Promise<void> {
  await sql.run(
    `UPDATE actions SET crystallized_into = ?1, updated_at = ${changedAtSql("?2")}
     WHERE id IN (SELECT value FROM json_each(?3))`,
    [crystalId, now(), JSON.stringify(ids)],
  );
}

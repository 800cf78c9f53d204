import { eq, sql as text } from "drizzle-orm";
import type { Connection } from "../../store/store.ts";
import { unknownActions } from "./known-actions.ts";
import type { ActionRow } from "./record.ts";
import { actions } from "./tables.ts";

/**
 * True for actions of no sketch. The unary plus keeps SQLite from using the index on `sketch_id`, which is
 * useless here: nearly all actions have none.
 */
export const inNoSketch = text`+${actions.sketchId} IS NULL`;

/** Error: not_found. */
export async function actionById({ orm }: Pick<Connection, "orm">, id: string): Promise<ActionRow> {
  const [row] = await orm.select().from(actions).where(eq(actions.id, id));
  if (row === undefined) throw unknownActions([id]);
  return row;
}

/** All of these actions, in the order of the ids. Error: not_found, with the unknown ids. */
export async function actionsNamed(
  connection: Pick<Connection, "orm">,
  ids: readonly string[],
): Promise<ActionRow[]> {
  const rows = await actionsByIds(connection, ids);
  const known = new Set(rows.map(({ id }) => id));
  const notFound = [...new Set(ids)].filter((id) => !known.has(id));
  if (notFound.length > 0) throw unknownActions(notFound);
  return rows;
}

/** The actions that exist among these ids, in the order of the ids. */
export async function actionsByIds(
  { orm }: Pick<Connection, "orm">,
  ids: readonly string[],
): Promise<ActionRow[]> {
  const rows = await orm
    .select()
    .from(actions)
    // All ids as one JSON value: the number of parameters of a statement is limited.
    .where(text`${actions.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

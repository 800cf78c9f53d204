import { eq, sql as text } from "drizzle-orm";
import type { Connection } from "../../store/store.ts";
import { unknownActions } from "./known-actions.ts";
import type { ActionRow } from "./record.ts";
import { actions } from "./tables.ts";

/** Of no sketch, as nearly all are: the plus keeps the index over sketches out, which would be asked for all of them. */
export const inNoSketch = text`+${actions.sketchId} IS NULL`;

/** Error: not_found. */
export async function actionById({ orm }: Pick<Connection, "orm">, id: string): Promise<ActionRow> {
  const [row] = await orm.select().from(actions).where(eq(actions.id, id));
  if (row === undefined) throw unknownActions([id]);
  return row;
}

/** All of the actions, in the order of the ids. Error: not_found, with the ids that nobody knows. */
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

/** Those of the actions that are known, in the order of the ids. */
export async function actionsByIds(
  { orm }: Pick<Connection, "orm">,
  ids: readonly string[],
): Promise<ActionRow[]> {
  const rows = await orm
    .select()
    .from(actions)
    // As one value: a statement takes no more than some ten thousand of them.
    .where(text`${actions.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

import { eq, inArray } from "drizzle-orm";
import { attachRows } from "../../../graph/structural/attach.ts";
import type { Ground } from "../../../ground.ts";
import { putDocument } from "../../../index/documents/documents.ts";
import { firstColumn, type Sql } from "../../../store/sql.ts";
import type { Transaction } from "../../../store/store.ts";
import { agentClause } from "../../sessions/agent-scope.ts";
import type { SessionRow } from "../../sessions/record.ts";
import type { View } from "../../sessions/view.ts";
import { observationDocument } from "../document.ts";
import { observationRecord } from "../record.ts";
import { compressByRules } from "../rules/compress.ts";
import { observations, rawEvents } from "../tables.ts";

/** Only this many of the newest observations are looked at; `doctor` looks at all. */
const newest = 2_000;

/** Of the newest observations, those without a title or an index document. */
export async function incompleteOf(sql: Sql, { keys, filter }: View): Promise<string[]> {
  const agent = agentClause(filter, "agent_id");
  const among = (own: string) => `SELECT id FROM observations WHERE seq IN
      (SELECT seq FROM observations WHERE true${own}${agent.text} ORDER BY timestamp DESC, seq DESC LIMIT ${newest})
    AND (title = '' OR NOT EXISTS
      (SELECT 1 FROM documents WHERE kind = 'observation' AND ref = observations.id)) ORDER BY seq`;
  const found =
    keys === undefined
      ? [await firstColumn(sql, among(""), agent.args)]
      : await Promise.all(
          keys.map((key) => firstColumn(sql, among(" AND project_key = ?"), [key, ...agent.args])),
        );
  return found.flat();
}

/**
 * Compresses observations without a title by rules, and gives all of them an index document. Returns their
 * ids.
 */
export async function completeObservations(
  tx: Transaction,
  ground: Pick<Ground, "now" | "newId">,
  ids: readonly string[],
  sessions: ReadonlyMap<string, SessionRow>,
): Promise<string[]> {
  const { orm, sql } = tx;
  const rows = await orm
    .select()
    .from(observations)
    .leftJoin(rawEvents, eq(rawEvents.observationId, observations.id))
    .where(inArray(observations.id, [...ids]));
  for (const { observations: stored, raw_events: raw } of rows) {
    const session = sessions.get(stored.sessionId);
    const event = { ...stored, project: session?.project ?? stored.projectKey, cwd: session?.cwd ?? "" };
    let row = stored;
    if (stored.title === "" && raw !== null) {
      // memsvc itself wrote it: the redacted event as JSON.
      const { data } = JSON.parse(raw.event) as { readonly data?: unknown };
      row = { ...stored, ...compressByRules({ ...event, data }), compression: "synthetic" };
      await orm.update(observations).set(row).where(eq(observations.id, stored.id));
      await attachRows(sql, ground, [
        { ...row, kind: "observation", ref: row.id, project: event.project, libraries: [] },
      ]);
    }
    await putDocument(sql, observationDocument({ ...row, event, compressed: observationRecord(row) }));
  }
  return rows.map(({ observations: { id } }) => id);
}

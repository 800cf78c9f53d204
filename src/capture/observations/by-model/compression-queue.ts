import type { Ground } from "../../../ground.ts";
import { enqueue } from "../../../jobs/jobs.ts";
import { textsIn } from "../../../store/json-columns.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Transaction } from "../../../store/store.ts";
import { type View, viewClause } from "../../sessions/view.ts";
import { wholeEvent } from "../stored-event.ts";

export const compressionJobKind = "observation.compress";

/** How long to wait for more events of a session, which then share a call. */
const gatherMs = 5_000;
const mostPerCall = 10;
/** Once together with others, once alone. */
const mostTries = 2;

/** An observation that waits for a model. */
export interface Pending {
  readonly id: string;
  readonly tries: number;
  /** The redacted event as JSON. */
  readonly event: string;
  readonly files: readonly string[];
  readonly importance: number;
}

/** Whether compression by a model is enabled and there is a model. */
export function isCompressedByModel({ settings, llm }: Pick<Ground, "settings" | "llm">): boolean {
  return settings.autoCompress && llm.provider !== "noop";
}

/** Queues an observation for compression by a model, in the transaction that stores it. */
export async function queueCompression(
  tx: Transaction,
  ground: Ground,
  { id, sessionId }: { readonly id: string; readonly sessionId: string },
): Promise<void> {
  await tx.sql.run("INSERT INTO pending_compressions (observation_id, session_id) VALUES (?, ?)", [
    id,
    sessionId,
  ]);
  await enqueue(tx, ground, {
    kind: compressionJobKind,
    key: sessionId,
    payload: { sessionId },
    runAfter: ground.now() + gatherMs,
  });
}

type PendingRow = Omit<Pending, "files"> & { readonly files: string };

/**
 * The next observations of a session to ask about in one call, oldest first. One that failed in a batch comes
 * alone.
 */
export async function nextToCompress(sql: Sql, sessionId: string): Promise<Pending[]> {
  const rows = await sql.all<PendingRow>(
    `SELECT observations.id, tries, ${wholeEvent} AS event, files, importance FROM pending_compressions AS pending
     JOIN observations ON observations.id = pending.observation_id
     JOIN raw_events ON raw_events.observation_id = observations.id
     WHERE pending.session_id = ? AND compression = 'synthetic'
     ORDER BY tries, seq LIMIT ${mostPerCall}`,
    [sessionId],
  );
  const [first] = rows;
  const batch = first === undefined || first.tries === 0 ? rows.filter(({ tries }) => tries === 0) : [first];
  return batch.map((row) => ({ ...row, files: textsIn(row.files) }));
}

/** How many observations in the view wait for a model, by session. */
export async function pendingOf(sql: Sql, view: View): Promise<ReadonlyMap<string, number>> {
  const seen = viewClause(view, "observations");
  const rows = await sql.all<{ sessionId: string; count: number }>(
    `SELECT pending.session_id AS sessionId, count(*) AS count FROM pending_compressions AS pending
     CROSS JOIN observations ON observations.id = pending.observation_id
     WHERE compression = 'synthetic'${seen.text} GROUP BY pending.session_id ORDER BY min(seq)`,
    seen.args,
  );
  return new Map(rows.map(({ sessionId, count }) => [sessionId, count]));
}

/** Removes all observations of a session from the queue. */
export async function dropCompressionsOf(sql: Sql, sessionId: string): Promise<void> {
  await sql.run("DELETE FROM pending_compressions WHERE session_id = ?", [sessionId]);
}

/** Removes observations from the queue. */
export async function dropCompressions(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.run("DELETE FROM pending_compressions WHERE observation_id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(ids),
  ]);
}

/**
 * Records that the model gave no usable answer about the batch. After the last try an observation leaves the
 * queue and stays compressed by rules.
 */
export async function noteUselessAnswer(sql: Sql, batch: readonly Pending[]): Promise<void> {
  const isAlone = batch.length === 1;
  const isOver = ({ tries }: Pending) => isAlone || tries + 1 >= mostTries;
  await dropCompressions(
    sql,
    batch.filter(isOver).map(({ id }) => id),
  );
  await sql.run(
    "UPDATE pending_compressions SET tries = tries + 1 WHERE observation_id IN (SELECT value FROM json_each(?))",
    [JSON.stringify(batch.map(({ id }) => id))],
  );
}

/** Removes queue entries whose observation does not exist, after an import that replaced all observations. */
export async function dropLooseCompressions(sql: Sql): Promise<void> {
  await sql.run(
    "DELETE FROM pending_compressions WHERE NOT EXISTS (SELECT 1 FROM observations WHERE id = observation_id)",
  );
}

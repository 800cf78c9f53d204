import { dropFacetsOf } from "../../coordination/facets/deletion.ts";
import { writeTombstones } from "../../governance/retention/tombstones.ts";
import { detachRows } from "../../graph/storage/detach.ts";
import { removeDocuments } from "../../index/documents/documents.ts";
import { invalidateProfiles } from "../../knowledge/profiles/cache.ts";
import { chunksOf } from "../../store/chunks.ts";
import { textsIn } from "../../store/json-columns.ts";
import type { Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { forgetCaptured } from "../commits/links.ts";
import { unlinkImages, unpinImages } from "../images/links.ts";
import { recountObservations } from "../sessions/activity.ts";
import { dropCompressions } from "./by-model/compression-queue.ts";
import { type Deletion, writeEventTombstones } from "./deleted-events.ts";
import { type KnownEvent, knownEvents } from "./event-identity.ts";
import { isNamedByAny, nameByPromptLeft } from "./first-prompt.ts";

/** Few enough that other writers wait only some milliseconds for each statement. */
const deletedAtOnce = 500;

interface Going {
  readonly sessionId: string;
  readonly rows: readonly KnownEvent[];
  /** Whether the session's name comes from a prompt among these observations. */
  readonly namesSession: boolean;
}

interface Cause {
  /** How the deletion is recorded for transcripts that contain the events. */
  readonly why: Deletion;
  readonly now: number;
}

/**
 * The only way to delete observations of a session: those with the ids, or without ids all of them and the
 * images pinned for the session. Returns the deleted ids.
 */
export async function deleteObservations(
  tx: Transaction,
  sessionId: string,
  ids: readonly string[] | undefined,
  cause: Cause,
): Promise<string[]> {
  const going = await goingOf(tx.sql, sessionId, ids);
  if (ids === undefined) await unpinImages(tx.sql, sessionId);
  return deleteGoing(tx, [going], cause);
}

/** The same for observations of any sessions. */
export async function deleteOfSessions(tx: Transaction, ids: readonly string[], cause: Cause): Promise<void> {
  const owned = await tx.sql.values(
    `SELECT session_id, json_group_array(id) FROM observations
     WHERE id IN (SELECT value FROM json_each(?)) GROUP BY session_id`,
    [JSON.stringify(ids)],
  );
  const going: Going[] = [];
  for (const [sessionId, own] of owned)
    going.push(await goingOf(tx.sql, String(sessionId), textsIn(String(own))));
  await deleteGoing(tx, going, cause);
}

async function goingOf(sql: Sql, sessionId: string, ids: readonly string[] | undefined): Promise<Going> {
  const namesSession = await isNamedByAny(sql, sessionId, ids);
  const where =
    ids === undefined
      ? { text: "true", args: [] }
      : { text: "id IN (SELECT value FROM json_each(?))", args: [JSON.stringify(ids)] };
  return { sessionId, rows: await knownEvents(sql, sessionId, where), namesSession };
}

/**
 * Deletes rows, raw events, image links, commits known from them alone, index entries, places in the graph,
 * facets and access logs, leaving tombstones. Also updates what was derived from them: session names and
 * cached profiles.
 */
async function deleteGoing(
  tx: Transaction,
  sessions: readonly Going[],
  { why, now }: Cause,
): Promise<string[]> {
  const rows = sessions.flatMap((session) => session.rows);
  for (const some of chunksOf(rows, deletedAtOnce)) await deleteRows(tx, some, now);
  for (const { sessionId, rows: own, namesSession } of sessions) {
    if (own.length === 0) continue;
    const ids = own.map(({ id }) => id);
    await forgetCaptured(tx.sql, sessionId, ids, now);
    await writeEventTombstones(tx.sql, sessionId, own, { why, now });
    await recountObservations(tx.sql, sessionId);
    if (namesSession) await nameByPromptLeft(tx.sql, sessionId);
  }
  for (const key of new Set(rows.map(({ projectKey }) => projectKey))) await invalidateProfiles(tx.sql, key);
  return rows.map(({ id }) => id);
}

async function deleteRows(tx: Transaction, rows: readonly KnownEvent[], now: number): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const list = JSON.stringify(ids);
  await tx.sql.run("DELETE FROM observations WHERE id IN (SELECT value FROM json_each(?))", [list]);
  await tx.sql.run("DELETE FROM raw_events WHERE observation_id IN (SELECT value FROM json_each(?))", [list]);
  await tx.sql.run("DELETE FROM access_logs WHERE memory_id IN (SELECT value FROM json_each(?))", [list]);
  await dropFacetsOf(tx.sql, "observation", ids);
  await dropCompressions(tx.sql, ids);
  await unlinkImages(tx.sql, ids);
  await removeDocuments(tx, "observation", ids);
  await detachRows(tx.sql, "observation", ids, now);
  await writeTombstones(tx.sql, "observation", rows, now);
}

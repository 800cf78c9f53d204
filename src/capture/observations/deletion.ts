import { dropFacetsOf } from "../../coordination/facets/deletion.ts";
import { buryAll } from "../../governance/retention/tombstones.ts";
import { detachRows } from "../../graph/storage/detach.ts";
import { removeDocuments } from "../../index/documents/documents.ts";
import { dropProfiles } from "../../knowledge/profiles/cache.ts";
import type { Transaction } from "../../store/store.ts";
import { unlinkImages, unpinImages } from "../images/links.ts";
import { recountObservations } from "../sessions/activity.ts";
import { settleCompression } from "./by-model/compression-queue.ts";
import { buryEvents, type Deletion } from "./deleted-events.ts";
import { knownEvents } from "./event-identity.ts";
import { isNamedByAny, nameByPromptLeft } from "./first-prompt.ts";

/**
 * The one way in which observations go: row, raw event, image links, index entry, place in the graph, facets and
 * access log together, with a tombstone, and what was made of them: the name of the session, kept profiles. With ids,
 * only those of the session; without, also the images that were stored for it. Returns the ids that were there. `why`:
 * as what a transcript that tells of them again finds them noted.
 */
export async function deleteObservations(
  tx: Transaction,
  sessionId: string,
  ids: readonly string[] | undefined,
  { why, now }: { readonly why: Deletion; readonly now: number },
): Promise<string[]> {
  const losesName = await isNamedByAny(tx.sql, sessionId, ids);
  const rows = await knownEvents(
    tx.sql,
    sessionId,
    ids === undefined
      ? { text: "true", args: [] }
      : { text: "id IN (SELECT value FROM json_each(?))", args: [JSON.stringify(ids)] },
  );
  if (ids === undefined) await unpinImages(tx.sql, sessionId);
  const gone = rows.map(({ id }) => id);
  if (gone.length === 0) return gone;
  const list = JSON.stringify(gone);
  await tx.sql.run("DELETE FROM observations WHERE id IN (SELECT value FROM json_each(?))", [list]);
  await tx.sql.run("DELETE FROM raw_events WHERE observation_id IN (SELECT value FROM json_each(?))", [list]);
  await tx.sql.run("DELETE FROM access_logs WHERE memory_id IN (SELECT value FROM json_each(?))", [list]);
  await dropFacetsOf(tx.sql, "observation", gone);
  await settleCompression(tx.sql, sessionId, gone);
  await unlinkImages(tx.sql, gone);
  await removeDocuments(tx, "observation", gone);
  await detachRows(tx, "observation", gone, now);
  await buryAll(tx.sql, "observation", rows, now);
  await buryEvents(tx.sql, sessionId, rows, { why, now });
  await recountObservations(tx.sql, sessionId);
  for (const key of new Set(rows.map(({ projectKey }) => projectKey))) await dropProfiles(tx.sql, key);
  if (losesName) await nameByPromptLeft(tx.sql, sessionId);
  return gone;
}

import { deletionTimes, forgottenEvent, writeTombstones } from "../../governance/retention/tombstones.ts";
import type { Sql } from "../../store/sql.ts";
import { toldHash } from "./content-hash.ts";
import { farthestMs, identityOf, type KnownEvent } from "./event-identity.ts";
import type { PreparedEvent } from "./prepare-event.ts";

/*
 * The transcript of a session goes on telling of what was deleted here. What it knows an event by is noted with the
 * deletion, as a hash, so that no import brings it back.
 */

/** What somebody forgot stays noted for good, what was evicted as long as other deletions. */
const kinds = { forgotten: forgottenEvent, evicted: "evictedEvent" };
export type Deletion = keyof typeof kinds;

export async function writeEventTombstones(
  sql: Sql,
  sessionId: string,
  events: readonly KnownEvent[],
  { why, now }: { readonly why: Deletion; readonly now: number },
): Promise<void> {
  const rows = events.map((event) => ({
    id: event.isImported
      ? event.contentHash
      : toldHash(sessionId, event.identity, stretchOf(event.timestamp)),
    projectKey: event.projectKey,
  }));
  await writeTombstones(sql, kinds[why], rows, now);
}

/** Which of the lines of transcripts, by their hashes, told of what was deleted. */
export async function deletedLines(sql: Sql, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const deleted = new Set<string>();
  for (const kind of Object.values(kinds))
    for (const id of (await deletionTimes(sql, kind, hashes)).keys()) deleted.add(id);
  return deleted;
}

/** The events that are not among those which a hook had told of and which were deleted. */
export async function withoutDeleted(
  sql: Sql,
  sessionId: string,
  prepared: readonly PreparedEvent[],
): Promise<PreparedEvent[]> {
  const hashes = prepared.map(({ event, compressed }) => {
    const identity = identityOf({ ...event, ...compressed });
    const stretch = stretchOf(event.timestamp);
    return [stretch - 1, stretch, stretch + 1].map((near) => toldHash(sessionId, identity, near));
  });
  const deleted = await deletedLines(sql, hashes.flat());
  return prepared.filter((_, at) => !hashes[at]?.some((hash) => deleted.has(hash)));
}

/** Which of the stretches of time since 1970 it lies in that are as long as a hook and a transcript may be apart. */
function stretchOf(timestamp: number): number {
  return Math.floor(timestamp / farthestMs);
}

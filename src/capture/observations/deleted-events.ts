import { deletionTimes, forgottenEvent, writeTombstones } from "../../governance/retention/tombstones.ts";
import type { Sql } from "../../store/sql.ts";
import { hookEventHash } from "./content-hash.ts";
import { identityOf, type KnownEvent, largestTimeGapMs } from "./event-identity.ts";
import type { PreparedEvent } from "./prepare-event.ts";

/*
 * The transcript of a session still contains events that were deleted here. With the deletion a hash is
 * stored by which their lines are recognised, so that no import brings them back.
 */

/** `forgotten` (on request) is remembered for ever, `evicted` as long as other deletions. */
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
      : hookEventHash(sessionId, event.identity, stretchOf(event.timestamp)),
    projectKey: event.projectKey,
  }));
  await writeTombstones(sql, kinds[why], rows, now);
}

/** The hashes of transcript lines whose events were deleted. */
export async function deletedLines(sql: Sql, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const deleted = new Set<string>();
  for (const kind of Object.values(kinds))
    for (const id of (await deletionTimes(sql, kind, hashes)).keys()) deleted.add(id);
  return deleted;
}

/** Drops events that a hook had reported and that were deleted. */
export async function withoutDeleted(
  sql: Sql,
  sessionId: string,
  prepared: readonly PreparedEvent[],
): Promise<PreparedEvent[]> {
  const hashes = prepared.map(({ event, compressed }) => {
    const identity = identityOf({ ...event, ...compressed });
    const stretch = stretchOf(event.timestamp);
    return [stretch - 1, stretch, stretch + 1].map((near) => hookEventHash(sessionId, identity, near));
  });
  const deleted = await deletedLines(sql, hashes.flat());
  return prepared.filter((_, at) => !hashes[at]?.some((hash) => deleted.has(hash)));
}

/**
 * The number of the time window that a timestamp is in. A window is as long as a hook and a transcript may be
 * apart.
 */
function stretchOf(timestamp: number): number {
  return Math.floor(timestamp / largestTimeGapMs);
}

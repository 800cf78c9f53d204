import type { Sql } from "../../store/sql.ts";
import { importHash } from "../observations/content-hash.ts";
import { deletedLines } from "../observations/deleted-events.ts";
import { identityOf, knownEvents, retoldIdentity } from "../observations/event-identity.ts";
import type { PreparedEvent } from "../observations/prepare-event.ts";
import type { TranscriptEvent } from "./transcript-events.ts";

/*
 * Versions before stored what a sub-agent said under the number of its line alone, although the transcripts of all
 * sub-agents of a session have lines of that number. One of them was stored; its time and content tell which.
 */

interface Candidate {
  readonly event: Pick<TranscriptEvent, "formerKey">;
  readonly prepared: PreparedEvent;
}

export interface FormerlyTold<One> {
  readonly stored: ReadonlySet<One>;
  /** Nothing tells whose event it was that was deleted: what the user forgot must not come back. */
  readonly deleted: ReadonlySet<One>;
}

export async function formerlyTold<One extends Candidate>(
  sql: Sql,
  sessionId: string,
  candidates: readonly One[],
): Promise<FormerlyTold<One>> {
  const asked = candidates.flatMap((one) => {
    const { formerKey } = one.event;
    return formerKey === undefined ? [] : [{ one, hash: importHash(sessionId, formerKey) }];
  });
  if (asked.length === 0) return { stored: new Set(), deleted: new Set() };
  const hashes = asked.map(({ hash }) => hash);
  const known = await knownEvents(sql, sessionId, {
    text: "content_hash IN (SELECT value FROM json_each(?))",
    args: [JSON.stringify(hashes)],
  });
  const byHash = new Map(known.map((told) => [told.contentHash, told]));
  const deleted = await deletedLines(sql, hashes);
  const isStored = (hash: string, { event, compressed }: PreparedEvent): boolean => {
    const told = byHash.get(hash);
    if (told === undefined || told.timestamp !== event.timestamp) return false;
    return (
      told.identity === (told.isRetold ? retoldIdentity(event) : identityOf({ ...event, ...compressed }))
    );
  };
  return {
    stored: new Set(asked.flatMap(({ one, hash }) => (isStored(hash, one.prepared) ? [one] : []))),
    deleted: new Set(asked.flatMap(({ one, hash }) => (deleted.has(hash) ? [one] : []))),
  };
}

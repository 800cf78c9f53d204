import type { Ground } from "../../ground.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";
import { importHash } from "../observations/content-hash.ts";
import { deletedLines, withoutDeleted } from "../observations/deleted-events.ts";
import { type PreparedEvent, prepareEvent } from "../observations/prepare-event.ts";
import type { Writer } from "../sessions/agent-scope.ts";
import { beforeOwnHooks, withoutCopies } from "./copied-events.ts";
import { formerlyTold } from "./former-keys.ts";
import type { HookDeduplication } from "./hook-deduplication.ts";
import type { TranscriptEvent } from "./transcript-events.ts";
import type { TranscriptSurvey } from "./transcript-survey.ts";

interface ReadEvents {
  readonly events: readonly TranscriptEvent[];
  readonly survey: TranscriptSurvey;
  readonly writer: Writer;
  readonly twins: HookDeduplication;
}

export interface LeftOut {
  /** The events that were deleted here. */
  readonly deleted: ReadonlySet<TranscriptEvent>;
  /** Those that a fork copied, and that are stored in another session. */
  readonly copied: ReadonlySet<TranscriptEvent>;
}

interface Candidate {
  readonly event: TranscriptEvent;
  readonly prepared: PreparedEvent;
}

/**
 * Redacts and compresses the events of a transcript that are neither stored yet (also by a hook, or from another
 * transcript) nor deleted here. A copied event is also looked for in the session that it comes from.
 */
export async function prepareNew(
  ground: Ground,
  { events, survey, writer, twins }: ReadEvents,
): Promise<LeftOut & { readonly prepared: PreparedEvent[] }> {
  const { sql } = ground.store.read;
  const { sessionId, project, cwd, program } = survey;
  const [deleted, copied] = [new Set<TranscriptEvent>(), new Set<TranscriptEvent>()];
  let candidates: Candidate[] = [];
  const lines = await knownLines(sql, sessionId, events);
  for (const event of events) {
    const { key, hookType, timestamp, data, copiedFrom = sessionId } = event;
    const [here, atOrigin] = [lines.get(sessionId, key), lines.get(copiedFrom, key)];
    if (here === "stored") continue;
    if (atOrigin === "stored") copied.add(event);
    else if (here === "deleted" || atOrigin === "deleted") deleted.add(event);
    else {
      const input = { hookType, sessionId, project, cwd, timestamp, data, tags: [program], ...writer };
      candidates.push({ event, prepared: await prepareEvent(ground, input, key) });
    }
  }
  const leaveOut = async (
    asked: readonly Candidate[],
    into: Set<TranscriptEvent> | undefined,
    rest: (prepared: readonly PreparedEvent[]) => Promise<PreparedEvent[]>,
  ) => {
    const passed = new Set(await rest(asked.map(({ prepared }) => prepared)));
    const out = new Set(asked.filter(({ prepared }) => !passed.has(prepared)));
    for (const { event } of out) into?.add(event);
    candidates = candidates.filter((one) => !out.has(one));
  };
  const toldOtherwise = new Set(
    candidates.filter(({ event }) => event.isToldOtherwise).map(({ prepared }) => prepared),
  );
  const ofSession = (session: string) =>
    candidates.filter(({ event }) => session === sessionId || event.copiedFrom === session);
  const origins = events.flatMap(({ copiedFrom }) => copiedFrom ?? []);
  for (const session of new Set([sessionId, ...origins])) {
    await leaveOut(ofSession(session), session === sessionId ? undefined : copied, (some) =>
      twins.without(sql, session, some, toldOtherwise),
    );
    await leaveOut(ofSession(session), deleted, (some) => withoutDeleted(sql, session, some));
  }
  const former = await formerlyTold(sql, sessionId, candidates);
  for (const { event } of former.deleted) deleted.add(event);
  candidates = candidates.filter((one) => !former.stored.has(one) && !former.deleted.has(one));
  await leaveOut(candidates, copied, (some) => withoutCopies(sql, sessionId, some));
  const earlier = await beforeOwnHooks(sql, sessionId, candidates);
  for (const session of earlier.sessions)
    await leaveOut(
      earlier.events.filter((one) => candidates.includes(one)),
      copied,
      (some) => twins.without(sql, session, some),
    );
  return { prepared: candidates.map(({ prepared }) => prepared), deleted, copied };
}

/** What became of the lines with these keys, by the session for which they were read. */
async function knownLines(sql: Sql, sessionId: string, events: readonly TranscriptEvent[]) {
  const hashes = events.flatMap(({ key, copiedFrom = sessionId }) =>
    [...new Set([sessionId, copiedFrom])].map((session) => importHash(session, key)),
  );
  const query =
    "SELECT content_hash FROM observations WHERE content_hash IN (SELECT value FROM json_each(?))";
  const stored = new Set(await firstColumn(sql, query, [JSON.stringify(hashes)]));
  const deleted = await deletedLines(sql, hashes);
  return {
    get: (session: string, key: string): "stored" | "deleted" | undefined => {
      const hash = importHash(session, key);
      return stored.has(hash) ? "stored" : deleted.has(hash) ? "deleted" : undefined;
    },
  };
}

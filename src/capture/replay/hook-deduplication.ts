import { isObject } from "../../json/is-object.ts";
import type { Sql } from "../../store/sql.ts";
import { farthestMs, identityOf, type KnownEvent, knownEvents } from "../observations/event-identity.ts";
import type { PreparedEvent } from "../observations/prepare-event.ts";
import { wholeEvent } from "../observations/stored-event.ts";

/**
 * Finds the events of a transcript that hooks have told of already, so that a session that was captured does not stand
 * in the store twice. What a hook told stands for one event: the same may well be said or run again.
 */
export class HookDeduplication {
  /** Observations that stand for events read before. */
  readonly #taken = new Set<string>();

  /** The events that no hook has told of. */
  async without(sql: Sql, sessionId: string, prepared: readonly PreparedEvent[]): Promise<PreparedEvent[]> {
    const times = prepared.map(({ event }) => event.timestamp);
    if (times.length === 0) return [];
    const told = await knownEvents(sql, sessionId, {
      text: "timestamp BETWEEN ? AND ? AND channel <> 'import'",
      args: [Math.min(...times) - farthestMs, Math.max(...times) + farthestMs],
    });
    const known = byIdentity(told);
    const unlike = prepared.filter(({ event, compressed }) => {
      const twin = (known.get(identityOf({ ...event, ...compressed })) ?? []).find(
        ({ id, timestamp }) => !this.#taken.has(id) && Math.abs(timestamp - event.timestamp) <= farthestMs,
      );
      if (twin !== undefined) this.#taken.add(twin.id);
      return twin === undefined;
    });
    const free = told.flatMap(({ id }) => (this.#taken.has(id) ? [] : [id]));
    if (free.length === 0 || !unlike.some((one) => callOf(one) !== undefined)) return unlike;
    const calls = await toldCalls(sql, free);
    return unlike.filter((one) => {
      const call = callOf(one);
      const twin = call === undefined ? undefined : calls.get(call);
      if (twin !== undefined) this.#taken.add(twin);
      return twin === undefined;
    });
  }
}

/** Which call an event tells the start or the end of, where the agent gave that an id. */
function callOf({ event: { hookType, data } }: PreparedEvent): string | undefined {
  const id = isObject(data) ? data.tool_use_id : undefined;
  return typeof id === "string" && id !== "" ? JSON.stringify([hookType, id]) : undefined;
}

/**
 * The observations that tell of calls, by these. Claude Code tells its hooks an input with its defaults added, its
 * transcripts the same in another order or without them, so the two need not read alike.
 */
async function toldCalls(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.values(
    `SELECT id, hook_type, (SELECT json_extract(${wholeEvent}, '$.data.tool_use_id') FROM raw_events
       WHERE observation_id = observations.id) AS call
     FROM observations WHERE id IN (SELECT value FROM json_each(?)) AND call IS NOT NULL`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(([id, hookType, call]) => [JSON.stringify([hookType, call]), String(id)]));
}

function byIdentity(told: readonly KnownEvent[]): ReadonlyMap<string, readonly KnownEvent[]> {
  const known = new Map<string, KnownEvent[]>();
  for (const one of told) {
    const same = known.get(one.identity);
    if (same === undefined) known.set(one.identity, [one]);
    else same.push(one);
  }
  return known;
}

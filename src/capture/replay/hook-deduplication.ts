import { groupBy } from "../../group-by.ts";
import { isObject } from "../../json/is-object.ts";
import type { Sql } from "../../store/sql.ts";
import { identityOf, knownEvents, largestTimeGapMs, retoldIdentity } from "../observations/event-identity.ts";
import type { PreparedEvent } from "../observations/prepare-event.ts";
import { wholeEvent } from "../observations/stored-event.ts";
import { likelyTwins } from "./likely-twins.ts";

/**
 * Finds the events of a transcript that hooks have reported already, so that a captured session is not stored
 * twice. Each hook's observation matches one event only: the same thing may well be said or run again.
 */
export class HookDeduplication {
  /** Observations that matched earlier events. */
  readonly #taken = new Set<string>();

  /** The events that no hook has reported; those `toldOtherwise` are compared by what they did, too. */
  async without(
    sql: Sql,
    sessionId: string,
    prepared: readonly PreparedEvent[],
    toldOtherwise: ReadonlySet<PreparedEvent> = new Set(),
  ): Promise<PreparedEvent[]> {
    const times = prepared.map(({ event }) => event.timestamp);
    if (times.length === 0) return [];
    const told = await knownEvents(sql, sessionId, {
      text: "timestamp BETWEEN ? AND ? AND channel <> 'import'",
      args: [Math.min(...times) - largestTimeGapMs, Math.max(...times) + largestTimeGapMs],
    });
    const known = groupBy(told, ({ identity }) => identity);
    const isAnyRetold = told.some(({ isRetold }) => isRetold);
    const unlike = prepared.filter(({ event, compressed }) => {
      const twinOf = (identity: string) =>
        (known.get(identity) ?? []).find(
          ({ id, timestamp }) =>
            !this.#taken.has(id) && Math.abs(timestamp - event.timestamp) <= largestTimeGapMs,
        );
      const twin =
        twinOf(identityOf({ ...event, ...compressed })) ??
        (isAnyRetold ? twinOf(retoldIdentity(event)) : undefined);
      if (twin !== undefined) this.#taken.add(twin.id);
      return twin === undefined;
    });
    const free = told.flatMap(({ id }) => (this.#taken.has(id) ? [] : [id]));
    if (free.length === 0 || !unlike.some((one) => callOf(one) !== undefined)) return unlike;
    const calls = await toldCalls(sql, free);
    const unnamed = unlike.filter((one) => {
      const call = callOf(one);
      const twin = call === undefined ? undefined : calls.get(call);
      if (twin !== undefined) this.#taken.add(twin);
      return twin === undefined;
    });
    const otherwise = unnamed.filter((one) => toldOtherwise.has(one));
    if (otherwise.length === 0) return unnamed;
    const left = free.filter((id) => !this.#taken.has(id));
    const twins = await likelyTwins(sql, otherwise, left);
    for (const twin of twins.values()) this.#taken.add(twin);
    return unnamed.filter((one) => !twins.has(one));
  }
}

/** The call whose start or end an event reports, if the agent gave it an id. */
function callOf({ event: { hookType, data } }: PreparedEvent): string | undefined {
  const id = isObject(data) ? data.tool_use_id : undefined;
  return typeof id === "string" && id !== "" ? JSON.stringify([hookType, id]) : undefined;
}

/**
 * The observations of tool calls, by call. Needed because the texts may differ: Claude Code gives hooks the
 * input with its defaults added, and writes it to transcripts in another order or without them.
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

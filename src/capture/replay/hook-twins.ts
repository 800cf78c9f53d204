import type { Sql } from "../../store/sql.ts";
import type { Arrival } from "../observations/arrival.ts";
import { farthestMs, identityOf, type KnownEvent, knownEvents } from "../observations/event-identity.ts";

/**
 * Finds the events of a transcript that hooks have told of already, so that a session that was captured does not stand
 * in the store twice. What a hook told stands for one event: the same may well be said or run again.
 */
export class HookTwins {
  /** Observations that stand for events read before. */
  readonly #taken = new Set<string>();

  /** The events that no hook has told of. */
  async without(sql: Sql, sessionId: string, arrivals: readonly Arrival[]): Promise<Arrival[]> {
    const times = arrivals.map(({ event }) => event.timestamp);
    if (times.length === 0) return [];
    const told = await knownEvents(sql, sessionId, {
      text: "timestamp BETWEEN ? AND ? AND channel <> 'import'",
      args: [Math.min(...times) - farthestMs, Math.max(...times) + farthestMs],
    });
    const known = byIdentity(told);
    return arrivals.filter(({ event, compressed }) => {
      const twin = (known.get(identityOf({ ...event, ...compressed })) ?? []).find(
        ({ id, timestamp }) => !this.#taken.has(id) && Math.abs(timestamp - event.timestamp) <= farthestMs,
      );
      if (twin !== undefined) this.#taken.add(twin.id);
      return twin === undefined;
    });
  }
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

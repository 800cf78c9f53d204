import { minuteMs } from "../../durations.ts";
import type { Sql } from "../../store/sql.ts";
import type { Arrival } from "../observations/arrival.ts";
import { type HookTold, toldByHooks } from "../observations/hook-told.ts";

/** A hook's time is when it ran, a transcript's when the line was written. */
const farthestMs = minuteMs;

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
    const told = await toldByHooks(sql, sessionId, {
      from: Math.min(...times) - farthestMs,
      to: Math.max(...times) + farthestMs,
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

interface Told {
  readonly hookType: string;
  readonly toolName?: string | null | undefined;
  readonly subtitle?: string | null | undefined;
  readonly narrative: string;
}

/** Input and outcome are in it: of two calls that merely begin alike, each is an event of its own. */
function identityOf({ hookType, toolName = null, subtitle = null, narrative }: Told): string {
  return JSON.stringify([hookType, toolName, subtitle, narrative]);
}

function byIdentity(told: readonly HookTold[]): ReadonlyMap<string, readonly HookTold[]> {
  const known = new Map<string, HookTold[]>();
  for (const one of told) {
    const identity = identityOf(one);
    const same = known.get(identity);
    if (same === undefined) known.set(identity, [one]);
    else same.push(one);
  }
  return known;
}

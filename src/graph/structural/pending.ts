import { setTimeout as pause } from "node:timers/promises";
import type { Ground } from "../../ground.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { gatherer } from "../../store/at-end.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";
import { countPending, insertPending, pendingKeys } from "../storage/pending-rows.ts";
import type { AttachedRow } from "./attach.ts";
import { putSome } from "./put-pending.ts";
import { pendingLayers } from "./settled.ts";

/*
 * A row's place in the graph is a few dozen rows in random places of a dozen tables and indexes: alone they take as
 * long as everything else that is stored of it, a hundred together a fifth of that. So what rules find in a row is
 * kept in its transaction as it is, and put in its place with others once writers rest. Whoever reads the graph has
 * that done first; only the searches of a daemon go by the graph as it is where many rows wait.
 */

/** Writers are taken to rest when no row has come for so long; then rows are put in their places. */
const restMs = 100;
/** Rows are put in their places beside busy writers, too, once the first has waited for so long. */
const longestMs = 5_000;
/** Or once so many wait, which takes about a second. */
const mostPending = 4_000;
/** How many rows one transaction puts in their places: few beside busy writers, who wait for its end. */
const besideWriters = 4;
const atRest = 8;
/** While somebody waits until all rows have their places. */
const atOnce = 64;
/** The share of the time that this work takes beside busy writers. */
const shareBesideWriters = 0.2;
/** The same while writers rest, or when too many rows wait. */
const shareElse = 0.5;
/** A process that ends leaves up to so many rows to the next one, so that its user does not wait for them. */
const leftAtEnd = 16;
/** How long a reader waits while no row gets its place: long work on the store may keep everybody from writing. */
const patienceMs = 1_000;
/** How long it waits while rows do get theirs, since an answer without the others would be wrong. Clients wait longer. */
const longestWaitMs = 30_000;
/** After so long it is tried again where another process keeps the store locked. */
const lockedMs = 5_000;

const unsettled = "the graph is read without the rows that wait for their place in it";

interface RowToAttach {
  readonly ground: Ground;
  readonly row: AttachedRow;
}

/** Has a row tied into the graph by rules: it is known in the row's own transaction, and put in its place soon. */
export const attachSoon = gatherer<RowToAttach>(async (tx, items) => {
  const [first] = items;
  if (first === undefined) return;
  const at = first.ground.now();
  await insertPending(
    tx.sql,
    items.map(({ row }) => [row.kind, row.ref, at, JSON.stringify(row)]),
  );
  pendingLayersOf(first.ground).left(items.length);
});

export function pendingLayersOf(ground: Ground): PendingLayers {
  const known = pendingLayers.get(ground.store) ?? new PendingLayers(ground);
  pendingLayers.set(ground.store, known);
  return known;
}

/** When pending rows of a store are given their places. */
export class PendingLayers {
  readonly #ground: Ground;
  #timer: NodeJS.Timeout | undefined;
  /** As far as this process knows. */
  #pending = 0;
  #firstLeftAt = 0;
  #lastLeftAt = 0;
  #working: Promise<void> | undefined;
  /** How many wait until all rows have their places. */
  #waiting = 0;
  #isClosed = false;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Rows were left by a transaction that is about to be committed. */
  left(rows: number): void {
    const now = performance.now();
    if (this.#pending === 0) this.#firstLeftAt = now;
    this.#lastLeftAt = now;
    this.#pending += rows;
    this.#lookLater();
  }

  /** Sees to rows that others left in the store: an earlier process, or the one that a snapshot was taken of. */
  takeUp(): void {
    this.#lookLater();
  }

  /** Waits until every row that is stored by now has its place, unless none gets one for long. */
  async settled(waitMs = longestWaitMs): Promise<void> {
    const { monotonic, store } = this.#ground;
    const { sql } = store.read;
    const until = monotonic() + waitMs;
    let waiting = await pendingKeys(sql);
    const newest = waiting?.last ?? 0;
    while (waiting !== undefined && waiting.first <= newest) {
      const outcome = await this.#settledBy(Math.min(until, monotonic() + patienceMs));
      const left = await pendingKeys(sql);
      const goesOn = left?.first !== waiting.first && monotonic() < until;
      if (outcome !== undefined && left !== undefined && !goesOn) {
        this.#ground.log("warn", unsettled, outcome);
        return;
      }
      waiting = left;
    }
  }

  /** Ends the waiting; many rows are given their places before that. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isClosed = true;
    const isMuch = async () => (await countPending(this.#ground.store.read.sql)) > leftAtEnd;
    try {
      if (this.#working !== undefined || (this.#pending > 0 && (await isMuch())))
        await this.settled(patienceMs);
    } catch (error) {
      // They wait in the store: a store that cannot be read any more is closed all the same.
      this.#ground.log("warn", "rows were left to get their places in the graph later", {
        error: String(error),
      });
    }
  }

  /** What kept the rows from their places; undefined when nothing did. */
  async #settledBy(until: number): Promise<{ readonly error?: string } | undefined> {
    this.#waiting += 1;
    try {
      const { monotonic } = this.#ground;
      const outcome = await beforeTimeout(this.#putAll(), Math.max(0, until - monotonic()), monotonic);
      return outcome === "late" ? {} : undefined;
    } catch (error) {
      return { error: String(error) };
    } finally {
      this.#waiting -= 1;
    }
  }

  #lookLater(afterMs = restMs): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => this.#look(), afterMs).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const isDue = performance.now() - this.#firstLeftAt >= longestMs || this.#pending >= mostPending;
    if (!isDue && !this.#isResting) {
      this.#lookLater();
      return;
    }
    this.#putAll().catch((error: unknown) => {
      this.#ground.log("error", "rows did not get their places in the graph", { error: String(error) });
    });
  }

  get #isResting(): boolean {
    return performance.now() - this.#lastLeftAt >= restMs;
  }

  /** Nobody waits for work that another does already. */
  #putAll(): Promise<void> {
    this.#working ??= this.#put()
      .catch((error: unknown) => {
        if (isMemsvcError(error, "unavailable")) this.#lookLater(lockedMs);
        throw error;
      })
      .finally(() => {
        this.#working = undefined;
      });
    return this.#working;
  }

  async #put(): Promise<void> {
    for (;;) {
      const isHurried = this.#waiting > 0 || this.#isClosed;
      const most = isHurried ? atOnce : this.#isResting ? atRest : besideWriters;
      const startedAt = performance.now();
      const pending = this.#pending;
      const { put, isAll } = await putSome(this.#ground, most);
      // Those that were left meanwhile are looked for again, though some may have been among the others.
      this.#pending -= isAll ? pending : Math.min(put, pending);
      if (isAll) break;
      if (!isHurried) await pause((performance.now() - startedAt) * (1 / this.#share - 1));
    }
    if (this.#pending > 0) this.#lookLater();
  }

  get #share(): number {
    return this.#isResting || this.#pending >= mostPending ? shareElse : shareBesideWriters;
  }
}

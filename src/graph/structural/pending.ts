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
 * To place an observation or a memory in the graph writes a few dozen rows at random positions of a dozen tables and
 * indexes. For a single one that takes as long as everything else that is stored of it; for a hundred together, a fifth
 * of that each. So its own transaction only stores its traits as a pending row, and pending rows are placed together
 * once nobody writes. Whoever reads the graph has pending rows placed first; only the searches of a daemon, when many
 * rows are pending, use the graph without them.
 */

/** Writers count as resting when no row came for this long. */
const restMs = 100;
/** While writers are busy, rows are placed all the same once the oldest has waited this long, */
const longestMs = 5_000;
/** or once this many are pending; placing these takes about a second. */
const mostPending = 4_000;
/**
 * Rows per transaction: few, so that busy writers hardly wait; more when writers rest; many when a reader waits for
 * all.
 */
const besideWriters = 4;
const atRest = 8;
const atOnce = 64;
/** Share of the time spent placing rows: while writers are busy, and when they rest or too many rows are pending. */
const shareBesideWriters = 0.2;
const shareElse = 0.5;
/** A process leaves up to this many rows to the next one when it ends, so that its user does not wait for them. */
const leftAtEnd = 16;
/** A reader gives up when no row was placed for this long, as when long work on the store blocks all writers. */
const patienceMs = 1_000;
/**
 * As long as rows are being placed it waits up to this, because an answer without the rest would be wrong. Clients wait
 * longer.
 */
const longestWaitMs = 30_000;
/** How long to wait before the next try when another process keeps the store locked. */
const lockedMs = 5_000;

const unsettled = "the graph is read without the rows that wait for their place in it";

interface RowToAttach {
  readonly ground: Ground;
  readonly row: AttachedRow;
}

/** Has a row placed in the graph: it becomes a pending row in its own transaction, and is placed soon after. */
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

/** Decides when the pending rows of a store are placed, and places them. */
export class PendingLayers {
  readonly #ground: Ground;
  #timer: NodeJS.Timeout | undefined;
  /** Number of pending rows, as far as this process knows. */
  #pending = 0;
  #firstLeftAt = 0;
  #lastLeftAt = 0;
  #working: Promise<void> | undefined;
  /** How many callers wait until all rows are placed. */
  #waiting = 0;
  #isClosed = false;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Call when a transaction that is about to be committed has stored pending rows. */
  left(rows: number): void {
    const now = performance.now();
    if (this.#pending === 0) this.#firstLeftAt = now;
    this.#lastLeftAt = now;
    this.#pending += rows;
    this.#lookLater();
  }

  /** Looks for pending rows that an earlier process left, or that came with a restored snapshot. */
  takeUp(): void {
    this.#lookLater();
  }

  /**
   * Waits until every row that is pending now is placed. Gives up, with a warning in the log, when there is no
   * progress. Keys alone do not tell these rows from later ones, because they begin again when none is pending; but
   * they are among those of the second run to end, which began after the call.
   */
  async settled(waitMs = longestWaitMs): Promise<void> {
    const { monotonic, store } = this.#ground;
    const { sql } = store.read;
    const until = monotonic() + waitMs;
    let waiting = await pendingKeys(sql);
    const newest = waiting?.last ?? 0;
    let runsToEnd = 2;
    while (waiting !== undefined && waiting.first <= newest && runsToEnd > 0) {
      const outcome = await this.#settledBy(Math.min(until, monotonic() + patienceMs));
      const left = await pendingKeys(sql);
      const goesOn = left?.first !== waiting.first && monotonic() < until;
      if (outcome !== undefined && left !== undefined && !goesOn) {
        this.#ground.log("warn", unsettled, outcome);
        return;
      }
      if (outcome === undefined) runsToEnd -= 1;
      waiting = left;
    }
  }

  /** Stops placing rows. If many are pending, they are placed first. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isClosed = true;
    const isMuch = async () => (await countPending(this.#ground.store.read.sql)) > leftAtEnd;
    try {
      if (this.#working !== undefined || (this.#pending > 0 && (await isMuch())))
        await this.settled(patienceMs);
    } catch (error) {
      // The rows stay pending in the store, so an error here must not keep it from being closed.
      this.#ground.log("warn", "rows were left to get their places in the graph later", {
        error: String(error),
      });
    }
  }

  /** Tries to place all rows: undefined when they were placed, else why not (empty when time ran out). */
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

  /** Places all rows; concurrent calls share one run. */
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
      // Rows that were added meanwhile still count as pending, though some of them may have been placed already.
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

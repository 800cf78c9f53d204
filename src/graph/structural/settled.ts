import type { Ground } from "../../ground.ts";
import type { Store } from "../../store/store.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";
import { countPending } from "../storage/pending-rows.ts";
import type { PendingLayers } from "./pending.ts";

/** A search of a daemon waits for pending rows only when there are at most this many, */
const fewRows = 16;
/** and no longer than this. */
const searchPatienceMs = 100;

/** One for each store in which rows were left pending or waited for. */
export const pendingLayers = new WeakMap<Store, PendingLayers>();

/**
 * Waits until every stored row is placed in the graph: call it before reading the graph. The code that places rows is
 * only loaded when some are pending, which is rare for a command. In a store that is read-only they stay pending.
 */
export async function graphSettled(ground: Ground): Promise<void> {
  if (ground.store.isReadOnly || (await countPending(ground.store.read.sql)) === 0) return;
  const { pendingLayersOf } = await import("./pending.ts");
  await pendingLayersOf(ground).settled();
}

/**
 * The same for the searches of a daemon. A few rows, stored a moment ago, are waited for, so that the graph finds them
 * at once; many rows, or long work on the store, are not.
 */
export async function fewRowsSettled(ground: Ground): Promise<void> {
  if (ground.store.isReadOnly) return;
  const pending = await countPending(ground.store.read.sql);
  if (pending === 0 || pending > fewRows) return;
  const { pendingLayersOf } = await import("./pending.ts");
  await beforeTimeout(pendingLayersOf(ground).settled(), searchPatienceMs, ground.monotonic);
}

/** Stops placing pending rows in a store that is about to be closed. */
export async function closePending(store: Store): Promise<void> {
  await pendingLayers.get(store)?.close();
}

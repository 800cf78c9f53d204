import type { Ground } from "../../ground.ts";
import type { Store } from "../../store/store.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";
import { countPending } from "../storage/pending-rows.ts";
import type { PendingLayers } from "./pending.ts";

/** A search of a daemon waits for the graph only where at most so many rows wait for their places in it. */
const fewRows = 16;
/** And no longer than this: a search leaves the graph out that is not ready soon. */
const searchPatienceMs = 100;

/** Of stores in which rows were left or waited for. */
export const pendingLayers = new WeakMap<Store, PendingLayers>();

/**
 * Waits until every row that is stored has its place in the graph: for whoever reads it. Loads what puts rows there only
 * when some wait, which few commands that search find. Where nothing can be written they stay away.
 */
export async function graphSettled(ground: Ground): Promise<void> {
  if (ground.store.isReadOnly || (await countPending(ground.store.read.sql)) === 0) return;
  const { pendingLayersOf } = await import("./pending.ts");
  await pendingLayersOf(ground).settled();
}

/**
 * The same for the searches of a daemon: what was stored a moment ago is found by the graph at once, but many rows, and
 * long work on the store, are not waited for.
 */
export async function fewRowsSettled(ground: Ground): Promise<void> {
  if (ground.store.isReadOnly) return;
  const pending = await countPending(ground.store.read.sql);
  if (pending === 0 || pending > fewRows) return;
  const { pendingLayersOf } = await import("./pending.ts");
  await beforeTimeout(pendingLayersOf(ground).settled(), searchPatienceMs, ground.monotonic);
}

/** Ends the waiting of rows in a store that is about to be closed. */
export async function closePending(store: Store): Promise<void> {
  await pendingLayers.get(store)?.close();
}

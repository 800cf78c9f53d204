import type { Ground } from "../../ground.ts";
import type { Store } from "../../store/store.ts";
import { countPending } from "../storage/pending-rows.ts";
import type { PendingLayers } from "./pending.ts";

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

/** Ends the waiting of rows in a store that is about to be closed. */
export async function closePending(store: Store): Promise<void> {
  await pendingLayers.get(store)?.close();
}

import { turnGiver } from "../../store/turns.ts";
import { type KeptBody, type RowBatch, rowBatches } from "./row-batches.ts";
import type { Warnings } from "./warnings.ts";

/**
 * Reads the rows of a body in batches, on this or another thread; see rowBatches. Can be done more than once.
 */
export type RowReading = (body: KeptBody, warnings: Warnings) => AsyncGenerator<RowBatch>;

/** Reads on the caller's thread: right for a command, which has nothing else to do. */
export const inlineRowReading: RowReading = async function* (body, warnings) {
  const giveTurn = turnGiver();
  for (const batch of rowBatches(body, warnings)) {
    yield batch;
    await giveTurn();
  }
};

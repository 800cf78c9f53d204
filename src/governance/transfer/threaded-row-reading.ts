import { on } from "node:events";
import { receivedError, type SentError } from "../../operation/sent-error.ts";
import { startThread } from "../../system/start-thread.ts";
import type { KeptBody, RowBatch } from "./row-batches.ts";
import type { RowReading } from "./row-reading.ts";

export type RowReply =
  | { readonly batch: RowBatch }
  | { readonly warnings: readonly (readonly [sentence: string, times: number])[] }
  | { readonly failure: SentError };

/** Starting the thread takes as long as reading this many bytes. */
const worthAThread = 4 * 1024 * 1024;

/** Reads on a thread of its own, which works ahead while batches are stored. */
export function threadedRowReading(threadFile: string): RowReading {
  return async function* (body, warnings) {
    if (sizeOf(body) < worthAThread) {
      const { inlineRowReading } = await import("./row-reading.ts");
      yield* inlineRowReading(body, warnings);
      return;
    }
    const worker = startThread(threadFile, { workerData: body });
    try {
      for await (const [reply] of on(worker, "message", { close: ["exit"] }) as AsyncIterable<[RowReply]>) {
        if ("failure" in reply) throw receivedError(reply.failure);
        if ("warnings" in reply) {
          for (const [sentence, times] of reply.warnings) warnings.add(sentence, times);
          return;
        }
        yield reply.batch;
        worker.postMessage("taken");
      }
      throw new Error("the thread that reads an import ended before its file did");
    } finally {
      await worker.terminate();
    }
  };
}

function sizeOf({ members }: KeptBody): number {
  return members.reduce((sum, { from, to }) => sum + to - from, 0);
}

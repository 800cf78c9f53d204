import { setImmediate as nextTurn } from "node:timers/promises";
import { type JsonParts, JsonSplitter } from "../../json/json-splitter.ts";
import type { ByteStream } from "../../operation/define.ts";

/** How long the reading may keep the event loop from its other work. */
const sliceMs = 8;

interface Limit {
  readonly maxBytes: number;
  /** What is thrown for a longer body. */
  readonly tooLarge: (maxBytes: number) => Error;
}

/**
 * Hands the parts of a body to a reader as they arrive. After each piece `keep` is waited for, which puts on the disk what
 * is not to be held in memory.
 */
export async function splitBody(
  body: ByteStream,
  reader: JsonParts,
  keep: (piece: Uint8Array) => Promise<void>,
  { maxBytes, tooLarge }: Limit,
): Promise<void> {
  const splitter = new JsonSplitter(reader);
  let bytes = 0;
  let sliceEnd = performance.now() + sliceMs;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    splitter.push(chunk);
    await keep(chunk);
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + sliceMs;
  }
  splitter.end();
}

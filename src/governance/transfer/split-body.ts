import { setImmediate as nextTurn } from "node:timers/promises";
import type { ByteStream } from "../../operation/define.ts";
import { type JsonParts, JsonSplitter } from "../../operation/json-splitter.ts";
import type { Spool } from "./spool.ts";

/** How long the reading may keep the event loop from its other work. */
const sliceMs = 8;

interface Limit {
  readonly maxBytes: number;
  /** What is thrown for a longer body. */
  readonly tooLarge: (maxBytes: number) => Error;
}

/** Hands the parts of a body to a reader as they arrive; what that puts into the spool goes to the disk meanwhile. */
export async function splitBody(
  body: ByteStream,
  reader: JsonParts,
  spool: Spool,
  { maxBytes, tooLarge }: Limit,
): Promise<void> {
  const splitter = new JsonSplitter(reader);
  let bytes = 0;
  let sliceEnd = performance.now() + sliceMs;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    splitter.push(chunk);
    await spool.flush();
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + sliceMs;
  }
  splitter.end();
}

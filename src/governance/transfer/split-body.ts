import { type JsonParts, JsonSplitter } from "../../json/json-splitter.ts";
import type { ByteStream } from "../../operation/define.ts";
import { turnGiver } from "../../store/turns.ts";

interface Limit {
  readonly maxBytes: number;
  /** Makes the error for a longer body. */
  readonly tooLarge: (maxBytes: number) => Error;
}

/**
 * Passes the parts of a body to a reader as they arrive. `keep` is awaited after each chunk; it moves to disk
 * what should not stay in memory.
 */
export async function splitBody(
  body: ByteStream,
  reader: JsonParts,
  keep: (piece: Uint8Array) => Promise<void>,
  { maxBytes, tooLarge }: Limit,
): Promise<void> {
  const splitter = new JsonSplitter(reader);
  const giveTurn = turnGiver();
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    splitter.push(chunk);
    await keep(chunk);
    await giveTurn();
  }
  splitter.end();
}

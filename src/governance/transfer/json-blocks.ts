import type { ExportPage } from "./collection.ts";

/** The size of a block: with smaller ones the overhead of each shows, larger ones only take memory. */
const blockBytes = 128 * 1024;

/**
 * Joins pieces of a text into blocks. The first piece is sent by itself, so that the caller sees at once that
 * the answer begins.
 */
export async function* inBlocks(pieces: AsyncIterable<ExportPage>): AsyncGenerator<Uint8Array> {
  let block: Uint8Array[] = [];
  let bytes = 0;
  let isHead = true;
  for await (const piece of pieces) {
    const more = typeof piece === "string" ? Buffer.from(piece) : piece;
    block.push(more);
    bytes += more.byteLength;
    if (bytes < blockBytes && !isHead) continue;
    yield Buffer.concat(block);
    block = [];
    bytes = 0;
    isHead = false;
  }
  if (bytes > 0) yield Buffer.concat(block);
}

/** Pages with commas between them. */
export async function* joined(pages: AsyncIterable<ExportPage>): AsyncGenerator<ExportPage> {
  let isFirst = true;
  for await (const page of pages) {
    if (!isFirst) yield ",";
    yield page;
    isFirst = false;
  }
}

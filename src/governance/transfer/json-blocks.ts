import type { ExportPage } from "./collection.ts";

/** What is sent at once: less makes every block's own cost show, more only takes memory. */
const blockBytes = 128 * 1024;

/** Pieces of a text in blocks. The head goes by itself: whoever asked sees at once that it begins. */
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

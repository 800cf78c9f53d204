import { createReadStream } from "node:fs";

/** Longer than a line with the largest image that is stored; a longer line is no part of a conversation. */
const longestLineBytes = 33_554_432;
const lineFeed = 0x0a;
/** Some editors write it at the beginning of a file. */
const byteOrderMark = /^\ufeff/u;

/**
 * The lines of a file, read as a stream, so that its size does not matter. A line longer than 32 MiB is given
 * as undefined. `onBytes` is called with every chunk.
 */
export async function* textLines(
  path: string,
  onBytes: (bytes: Uint8Array) => void = () => undefined,
): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  let isFirst = true;
  const line = () => {
    const text = length > longestLineBytes ? undefined : Buffer.concat(parts).toString("utf8");
    parts = [];
    length = 0;
    const read = isFirst ? text?.replace(byteOrderMark, "") : text;
    isFirst = false;
    return read;
  };
  // A stream without encoding yields Buffers.
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onBytes(chunk);
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      parts.push(chunk.subarray(start, end));
      length += end - start;
      yield line();
      start = end + 1;
    }
    length += chunk.length - start;
    if (length > longestLineBytes) parts = [];
    else if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (length > 0) yield line();
}

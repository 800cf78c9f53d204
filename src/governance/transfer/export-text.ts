import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { ByteStream } from "../../operation/define.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { gzipMagicLength, isGzip } from "./gzip.ts";

const byteOrderMark = Buffer.from("\uFEFF");

/**
 * The JSON text of an export file: unpacked if it is compressed, and without a byte order mark. Error:
 * invalid_input for a damaged compressed file.
 */
export async function* exportText(bytes: ByteStream): AsyncGenerator<Uint8Array> {
  const { start, all } = await startOf(bytes, gzipMagicLength);
  yield* withoutMark(isGzip(start) ? unpacked(all) : all);
}

async function* withoutMark(bytes: ByteStream): AsyncGenerator<Uint8Array> {
  const { start, all } = await startOf(bytes, byteOrderMark.length);
  let toSkip = start.equals(byteOrderMark) ? start.length : 0;
  for await (const piece of all) {
    if (piece.byteLength > toSkip) yield piece.subarray(toSkip);
    toSkip = Math.max(0, toSkip - piece.byteLength);
  }
}

async function* unpacked(bytes: ByteStream): AsyncGenerator<Uint8Array> {
  const plain = createGunzip();
  // A failure also ends the stream, which is read below.
  pipeline(Readable.from(bytes), plain).catch(() => undefined);
  try {
    yield* plain;
  } catch (error) {
    throw new MemsvcError("invalid_input", "the file is compressed, but damaged; nothing was imported", {
      hint: "use another copy of it, or one that is not compressed",
      cause: error,
    });
  }
}

/**
 * The first `length` bytes (fewer if there are no more), and a stream of all bytes. Collects chunks, because
 * a pipe may deliver single bytes.
 */
async function startOf(bytes: ByteStream, length: number): Promise<{ start: Buffer; all: ByteStream }> {
  const pieces = bytes[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let found = 0;
  while (found < length) {
    const next = await pieces.next();
    if (next.done === true) break;
    taken.push(next.value);
    found += next.value.byteLength;
  }
  const all = async function* () {
    yield* taken;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
  };
  return { start: Buffer.concat(taken).subarray(0, length), all: all() };
}

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { ByteStream } from "../../operation/define.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { gzipMagicLength, isGzip } from "./gzip.ts";

const byteOrderMark = Buffer.from("\uFEFF");

/**
 * The JSON text of an export's file, plain or compressed, without the mark that editors put before UTF-8. Error:
 * invalid_input for a compressed one that is damaged.
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
  // Its failure is also that of the stream, which is read below.
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

/** The first bytes, fewer where there are no more, and all of them: a pipe may hand over a single one at first. */
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

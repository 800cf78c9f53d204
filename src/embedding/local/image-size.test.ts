import { expect, test } from "vitest";
import { imageSize } from "./image-size.ts";

/** A WebP file's head with what its first chunk holds. */
function webp(chunk: string, body: readonly number[]): Buffer {
  const head = Buffer.concat([Buffer.from("RIFF"), Buffer.alloc(4), Buffer.from("WEBP"), Buffer.from(chunk)]);
  return Buffer.concat([head, Buffer.alloc(4), Buffer.from(body)]);
}

const frame = [0, 17, 8, 0x02, 0x58, 0x03, 0x20, 3];

test.each([
  ["a lossy WebP", "image/webp", webp("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, 0x20, 0x03, 0x58, 0x02])],
  ["a lossless WebP", "image/webp", webp("VP8L", [0x2f, 0x1f, 0xc3, 0x95, 0x00])],
  ["an extended WebP", "image/webp", webp("VP8X", [0, 0, 0, 0, 0x1f, 0x03, 0, 0x57, 0x02, 0])],
  ["a JPEG", "image/jpeg", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc0, ...frame])],
  [
    "a progressive JPEG with fill bytes and tables before its frame",
    "image/jpeg",
    Buffer.from([0xff, 0xd8, 0xff, 0xff, 0xff, 0xc4, 0, 3, 1, 0xff, 0xc2, ...frame]),
  ],
])("reads the size of %s from its header", (_name, mime, file) => {
  expect(imageSize(file, mime)).toEqual({ width: 800, height: 600 });
});

test.each([
  ["ends before its size", "image/jpeg", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4])],
  ["has no segments", "image/jpeg", Buffer.from([0xff, 0xd8, 1, 2, 3, 4])],
  ["has an unknown chunk", "image/webp", webp("VP9 ", Array<number>(20).fill(1))],
  ["is of another format", "image/gif", Buffer.from("GIF89a and so on")],
])("reads no size from a file that %s", (_name, mime, file) => {
  expect(imageSize(file, mime)).toBeUndefined();
});

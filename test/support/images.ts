import { createHash } from "node:crypto";

const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
export const jpegHead = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

/** Bytes with the header of an image, a PNG unless given, different for each number. */
export function picture(number: number, size = 200, head: Uint8Array = pngHead): Buffer {
  return Buffer.concat([head, Buffer.alloc(size - head.length, number)]);
}

export function base64(content: Uint8Array): string {
  return Buffer.from(content).toString("base64");
}

/** The reference of a stored image. */
export function refOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

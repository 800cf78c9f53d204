import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The bytes of a file from one position to another, as far as it has them. */
export function readRange(path: string, from: number, to: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.max(0, Math.min(to, fstatSync(file).size) - from));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}

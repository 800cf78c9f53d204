import { type FileHandle, open, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { removeUnfinished } from "../../paths/remove-unfinished.ts";
import { renameOver } from "../../paths/rename-over.ts";
import type { LogPosition } from "../change-log.ts";
import type { ScopeClass } from "../scope-classes.ts";
import { VectorMatrix } from "./matrix.ts";
import { headerBytes as rowHeaderBytes } from "./row-header.ts";

/**
 * The matrix as a file beside the database, so that a start need not read every row again:
 *
 *   16 bytes   "memsvc-vectors", version
 *   u32        length of the header
 *   …          header: JSON, padded with blanks to a multiple of four
 *   …          the matrix's pieces one after another
 *   u32        checksum over header and pieces
 *
 * A file that is torn, of another version or inconsistent with its header counts as missing. The matrix's numbers are
 * in the machine's byte order; on a machine of the other order the checksum does not match.
 */
interface HeldVectors {
  readonly fingerprint: string;
  readonly matrix: VectorMatrix;
  /** The position in the log of changes up to which changes are in the matrix. */
  readonly position: LogPosition;
}

/**
 * Writes the file, readable only by this user, and replaces the old one atomically. Removes what killed processes left
 * of theirs, which may have vectors of documents that are deleted by now.
 */
export async function writeCache(
  path: string,
  { fingerprint, matrix, position }: HeldVectors,
): Promise<void> {
  const { count: rows, classes } = matrix;
  const axis = [...matrix.axis];
  const header = paddedJson({ fingerprint, axis, rows, position, classes: classes.all });
  const unfinished = `${path}.${process.pid}`;
  const beginning = `${basename(path)}.`;
  const makerOf = (name: string) =>
    name.startsWith(beginning) ? Number(name.slice(beginning.length)) : Number.NaN;
  await removeUnfinished(dirname(path), (name) => makerOf(name) > 0, makerOf);
  const file = await open(unfinished, "w", 0o600);
  try {
    const checksum = new Checksum();
    checksum.add(header);
    await file.write(Buffer.concat([magic, u32(header.length), header]));
    for (const piece of matrix.pieces()) {
      checksum.add(piece);
      await file.write(piece);
    }
    await file.write(u32(checksum.value));
    await file.close();
    await renameOver(unfinished, path);
  } catch (error) {
    await file.close();
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Reads the file; undefined if there is none, if it is invalid, or if `isWanted` rejects its header. */
export async function readCache(
  path: string,
  isWanted: (header: CacheHeader) => Promise<boolean>,
): Promise<HeldVectors | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const start = await readExactly(file, new Uint8Array(magic.length + 4), 0);
    if (start === undefined || !magic.equals(start.subarray(0, magic.length))) return undefined;
    const headerLength = Buffer.from(start).readUInt32LE(magic.length);
    if (headerLength > longestHeader) return undefined;
    const headerBytes = await readExactly(file, new Uint8Array(headerLength), start.length);
    const header = headerBytes === undefined ? undefined : parseHeader(Buffer.from(headerBytes).toString());
    if (headerBytes === undefined || header === undefined || !(await isWanted(header))) return undefined;
    const matrix = await readMatrix(file, header, headerBytes, start.length + headerLength);
    return matrix === undefined
      ? undefined
      : { fingerprint: header.fingerprint, matrix, position: header.position };
  } finally {
    await file.close();
  }
}

interface CacheHeader {
  readonly fingerprint: string;
  readonly axis: readonly number[];
  readonly rows: number;
  readonly position: LogPosition;
  readonly classes: readonly ScopeClass[];
}

const magic = Buffer.from("memsvc-vectors\u00005");
const longestHeader = 64 * 2 ** 20;

async function readMatrix(
  file: FileHandle,
  header: CacheHeader,
  headerBytes: Uint8Array,
  from: number,
): Promise<VectorMatrix | undefined> {
  const matrix = new VectorMatrix(Float32Array.from(header.axis));
  for (const entry of header.classes) matrix.classes.numberOf(entry);
  const bytesPerRow = matrix.stride + rowHeaderBytes;
  const { size } = await file.stat();
  if (size !== from + header.rows * bytesPerRow + 4) return undefined;
  const checksum = new Checksum();
  checksum.add(headerBytes);
  let position = from;
  for (const piece of matrix.unfilled(header.rows)) {
    if ((await readExactly(file, piece, position)) === undefined) return undefined;
    checksum.add(piece);
    position += piece.length;
  }
  const end = await readExactly(file, new Uint8Array(4), position);
  if (end === undefined || Buffer.from(end).readUInt32LE(0) !== checksum.value) return undefined;
  return matrix.settle() ? matrix : undefined;
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch {
    // A file that cannot be read is as good as none: everything in it can be made from the database.
    return undefined;
  }
}

async function readExactly(
  file: FileHandle,
  into: Uint8Array,
  from: number,
): Promise<Uint8Array | undefined> {
  let filled = 0;
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, from + filled);
    if (bytesRead === 0) return undefined;
    filled += bytesRead;
  }
  return into;
}

function parseHeader(text: string): CacheHeader | undefined {
  let value: Partial<CacheHeader>;
  try {
    value = JSON.parse(text) as Partial<CacheHeader>;
  } catch {
    return undefined;
  }
  const { fingerprint, axis, rows = -1, position, classes } = value;
  const isWhole =
    typeof fingerprint === "string" &&
    [rows, position?.change, position?.stamp].every(Number.isSafeInteger) &&
    Array.isArray(axis) &&
    axis.every(Number.isFinite) &&
    Array.isArray(classes);
  if (!isWhole || axis.length < 1 || rows < 0 || position === undefined) return undefined;
  return { fingerprint, axis, rows, position, classes };
}

function paddedJson(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  return Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** 32-bit FNV-1a over 32-bit words. It detects a torn file, not a forged one: the folder is the user's own. */
class Checksum {
  value = 0x811c9dc5;

  /** The number of bytes must be a multiple of four. */
  add(bytes: Uint8Array): void {
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
    const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
    let hash = this.value;
    for (let at = 0; at < words.length; at += 1) hash = Math.imul(hash ^ (words[at] ?? 0), 0x01000193);
    this.value = hash >>> 0;
  }
}

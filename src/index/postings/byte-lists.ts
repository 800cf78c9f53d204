import { grown } from "./grown.ts";

/**
 * Many lists of bytes that grow at their ends, after the in-memory postings of Lucene. A list is a chain of slices, each
 * about half as long again as the one before; the last four bytes of a full slice say where the next one begins. Slices
 * of one length share pages.
 */
export class ByteLists {
  readonly #pages: Uint8Array[] = [];
  /** By level: where the next slice of that length begins, and where its page ends. */
  readonly #free: number[] = [];
  readonly #pageEnds: number[] = [];
  #count = 0;
  #heads = new Uint32Array();
  #ends = new Uint32Array();
  #levels = new Uint8Array();
  /** Bytes left in the last slice. */
  #rooms = new Uint16Array();

  /** Opens an empty list and gives its number. Errors: RangeError when there is no room. */
  open(): number {
    const list = this.#count;
    this.#heads = grown(this.#heads, list + 1);
    this.#ends = grown(this.#ends, list + 1);
    this.#levels = grown(this.#levels, list + 1);
    this.#rooms = grown(this.#rooms, list + 1);
    const start = this.#slice(0);
    this.#heads[list] = start;
    this.#ends[list] = start;
    this.#rooms[list] = roomOf(0);
    this.#count += 1;
    return list;
  }

  append(list: number, byte: number): void {
    if (this.#rooms[list] === 0) this.#lengthen(list);
    const end = this.#ends[list] ?? 0;
    (this.#pages[end >>> pageBits] ?? noPage)[end & pageMask] = byte;
    this.#ends[list] = end + 1;
    this.#rooms[list] = (this.#rooms[list] ?? 1) - 1;
  }

  /** Copies a list's bytes to the beginning of `into`, which `lengthOf` it must be; gives how many they are. */
  copy(list: number, into: Uint8Array): number {
    const end = this.#ends[list] ?? 0;
    const last = this.#levels[list] ?? 0;
    let filled = 0;
    let start = this.#heads[list] ?? 0;
    for (let level = 0; ; level += 1) {
      const page = this.#pages[start >>> pageBits] ?? noPage;
      const from = start & pageMask;
      const length = level === last ? end - start : roomOf(level);
      into.set(page.subarray(from, from + length), filled);
      filled += length;
      if (level === last) return filled;
      start = readLink(page, from + length);
    }
  }

  /** At least as many bytes as a list has. */
  lengthOf(list: number): number {
    let length = 0;
    for (let level = this.#levels[list] ?? 0; level >= 0; level -= 1) length += roomOf(level);
    return length;
  }

  #lengthen(list: number): void {
    const level = (this.#levels[list] ?? 0) + 1;
    const end = this.#ends[list] ?? 0;
    const next = this.#slice(level);
    writeLink(this.#pages[end >>> pageBits] ?? noPage, end & pageMask, next);
    this.#levels[list] = level;
    this.#ends[list] = next;
    this.#rooms[list] = roomOf(level);
  }

  #slice(level: number): number {
    const size = roomOf(level) + linkBytes;
    let start = this.#free[level] ?? 0;
    if (start + size > (this.#pageEnds[level] ?? 0)) {
      start = this.#pages.length * pageSize;
      if (start + pageSize > largestPlace) throw new RangeError("the lists are full");
      this.#pages.push(new Uint8Array(pageSize));
      this.#pageEnds[level] = start + pageSize;
    }
    this.#free[level] = start + size;
    return start;
  }
}

const pageBits = 16;
const pageSize = 2 ** pageBits;
const pageMask = pageSize - 1;
const noPage = new Uint8Array();
const linkBytes = 4;
/** Places are 31 bits, which V8 keeps as plain integers. */
const largestPlace = 2 ** 31;

/** Bytes in a slice of a level, without its link: 12, 20, 28, 44, … up to 4,092. */
function roomOf(level: number): number {
  const doublings = Math.min(8, level >>> 1);
  return ((level & 1) === 0 || doublings === 8 ? 16 : 24) * 2 ** doublings - linkBytes;
}

function writeLink(page: Uint8Array, at: number, place: number): void {
  for (let byte = 0; byte < linkBytes; byte += 1) page[at + byte] = (place >>> (8 * byte)) & 0xff;
}

function readLink(page: Uint8Array, at: number): number {
  let place = 0;
  for (let byte = linkBytes - 1; byte >= 0; byte -= 1) place = (place << 8) | (page[at + byte] ?? 0);
  return place;
}

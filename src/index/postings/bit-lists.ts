import { withCapacity } from "./with-capacity.ts";

/**
 * Many lists of bits that grow at their ends, like Lucene's in-memory postings. A list is a chain of slices; the last
 * four bytes of a full slice are a link to the next one. Up to a limit, each slice is eight bytes longer than the one
 * before; so both the unused bytes at the end of a list and its links grow only with the square root of its length. The
 * bits at the end that do not fill a byte yet are stored beside the list.
 */
export class BitLists {
  readonly #pages: Uint8Array[] = [];
  /** The position of the next slice, and the end of its page. */
  #free = 0;
  #pageEnd = 0;
  #count = 0;
  #heads = new Uint32Array();
  #ends = new Uint32Array();
  #levels = new Uint16Array();
  /** Free bytes in the last slice of each list. */
  #rooms = new Uint16Array();
  #restBits = new Uint8Array();
  #rests = new Uint8Array();

  /** Opens an empty list and returns its number. Errors: RangeError if there is no room. */
  open(): number {
    const list = this.#count;
    this.#heads = withCapacity(this.#heads, list + 1);
    this.#ends = withCapacity(this.#ends, list + 1);
    this.#levels = withCapacity(this.#levels, list + 1);
    this.#rooms = withCapacity(this.#rooms, list + 1);
    this.#restBits = withCapacity(this.#restBits, list + 1);
    this.#rests = withCapacity(this.#rests, list + 1);
    const start = this.#slice(0);
    this.#heads[list] = start;
    this.#ends[list] = start;
    this.#rooms[list] = roomOf(0);
    this.#count += 1;
    return list;
  }

  /**
   * Appends a number of `bits` bits, at most 24, the highest bit first. The number must have no higher bits. Errors:
   * RangeError if there is no room.
   */
  append(list: number, number: number, bits: number): void {
    let rest = ((this.#rests[list] ?? 0) << bits) | number;
    let left = (this.#restBits[list] ?? 0) + bits;
    for (; left >= 8; left -= 8) this.#appendByte(list, rest >>> (left - 8));
    rest &= (1 << left) - 1;
    this.#restBits[list] = left;
    this.#rests[list] = rest;
  }

  /** Copies a list to the beginning of `into`, which must have at least `lengthOf` bytes. */
  copy(list: number, into: Uint8Array): void {
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
      if (level === last) break;
      start = readLink(page, from + length);
    }
    into[filled] = (this.#rests[list] ?? 0) << (8 - (this.#restBits[list] ?? 0));
  }

  /** An upper bound of the length of a list, in bytes. */
  lengthOf(list: number): number {
    let length = 1;
    for (let level = this.#levels[list] ?? 0; level >= 0; level -= 1) length += roomOf(level);
    return length;
  }

  #appendByte(list: number, byte: number): void {
    if (this.#rooms[list] === 0) this.#lengthen(list);
    const end = this.#ends[list] ?? 0;
    (this.#pages[end >>> pageBits] ?? noPage)[end & pageMask] = byte;
    this.#ends[list] = end + 1;
    this.#rooms[list] = (this.#rooms[list] ?? 1) - 1;
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
    if (this.#free + size > this.#pageEnd) {
      const start = this.#pages.length * pageSize;
      if (start + pageSize > largestPlace) throw new RangeError("the lists are full");
      this.#pages.push(new Uint8Array(pageSize));
      this.#free = start;
      this.#pageEnd = start + pageSize;
    }
    const start = this.#free;
    this.#free += size;
    return start;
  }
}

const pageBits = 16;
const pageSize = 2 ** pageBits;
const pageMask = pageSize - 1;
const noPage = new Uint8Array();
const linkBytes = 4;
/** Positions have 31 bits, which V8 stores as small integers. */
const largestPlace = 2 ** 31;

/** Bytes in the slice at a level (its place in the chain), without the link: 12, 20, 28, … up to 2,044. */
function roomOf(level: number): number {
  return Math.min(2_044, 12 + 8 * level);
}

function writeLink(page: Uint8Array, at: number, place: number): void {
  for (let byte = 0; byte < linkBytes; byte += 1) page[at + byte] = (place >>> (8 * byte)) & 0xff;
}

function readLink(page: Uint8Array, at: number): number {
  let place = 0;
  for (let byte = linkBytes - 1; byte >= 0; byte -= 1) place = (place << 8) | (page[at + byte] ?? 0);
  return place;
}

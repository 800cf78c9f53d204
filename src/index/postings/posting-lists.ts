import { BitLists } from "./bit-lists.ts";
import {
  bitsAt,
  bitsOfWhole,
  isShort,
  mostLowBits,
  onesOf,
  onesOfWhole,
  shortCode,
  shortLength,
  shortNumber,
  wholeNumber,
} from "./rice-code.ts";
import { withCapacity } from "./with-capacity.ts";

/**
 * A compressed posting list for each term: the documents with the term, and the weight of its occurrences in each.
 * Terms are identified by their hash, documents by ordinals that are added in ascending order; weights are whole
 * numbers.
 *
 * A posting consists of the gap to the previous one (the number of documents between them), a bit that is 1 if the
 * weight differs from the usual one, and in that case the weight. Numbers are Rice-coded (rice-code.ts) with a
 * parameter that adapts to the gaps before; most postings take nine bits. Most terms of real texts occur in only one
 * document: such a term has no list, and its posting is stored in the term's own fields.
 */
export class PostingLists {
  readonly #usualWeight: number;
  readonly #bits = new BitLists();
  #terms = 0;
  /** Hash table with open addressing from a term's hash to its place in the arrays below, plus one; 0: empty. */
  #slots = new Uint32Array(leastSlots);
  #hashes = new Uint32Array();
  #documents = new Uint32Array();
  #lastOrdinals = new Uint32Array();
  /** The number of the term's list; while it occurs in only one document, its weight there. */
  #lists = new Uint32Array();
  /** By number of the list: the Rice parameter for the next gaps, and the ordinal after which it came into force. */
  #lowBits = new Uint8Array();
  #stretchStarts = new Uint32Array();
  #copied = new DataView(new ArrayBuffer(0));

  constructor(usualWeight: number) {
    this.#usualWeight = usualWeight;
  }

  /** Adds a posting. The ordinals of a term must ascend. Errors: RangeError if there is no room. */
  add(hash: number, ordinal: number, weight: number): void {
    const term = this.#termOf(hash) ?? this.#newTerm(hash);
    const documents = this.#documents[term] ?? 0;
    if (documents === 0) {
      this.#lists[term] = weight;
    } else {
      const last = this.#lastOrdinals[term] ?? 0;
      if (documents === 1) this.#openList(term, last);
      const list = this.#lists[term] ?? 0;
      this.#append(list, ordinal - last - 1, weight);
      if ((documents + 1) % stretch === 0) this.#beginStretch(list, ordinal);
    }
    this.#documents[term] = documents + 1;
    this.#lastOrdinals[term] = ordinal;
  }

  /** The number of postings of a term. */
  documentsOf(hash: number): number {
    const term = this.#termOf(hash);
    return term === undefined ? 0 : (this.#documents[term] ?? 0);
  }

  /** Reads a term's postings by ascending ordinal into arrays, which must have room. Returns their number. */
  read(hash: number, ordinals: Uint32Array, weights: Uint16Array): number {
    const term = this.#termOf(hash);
    if (term === undefined) return 0;
    const documents = this.#documents[term] ?? 0;
    if (documents === 1) {
      ordinals[0] = this.#lastOrdinals[term] ?? 0;
      weights[0] = this.#lists[term] ?? 0;
      return 1;
    }
    const list = this.#lists[term] ?? 0;
    const length = this.#bits.lengthOf(list) + bytesBehind;
    if (this.#copied.byteLength < length) this.#copied = new DataView(new ArrayBuffer(length));
    this.#bits.copy(list, new Uint8Array(this.#copied.buffer));
    decode(this.#copied, documents, this.#usualWeight, ordinals, weights);
    return documents;
  }

  #append(list: number, gap: number, weight: number): void {
    this.#appendNumber(list, gap, this.#lowBits[list] ?? 0);
    const isUsual = weight === this.#usualWeight;
    this.#bits.append(list, isUsual ? 0 : 1, 1);
    if (!isUsual) this.#appendNumber(list, weight, lowBitsOfWeight);
  }

  #beginStretch(list: number, ordinal: number): void {
    this.#lowBits[list] = lowBitsAfter(ordinal - (this.#stretchStarts[list] ?? 0));
    this.#stretchStarts[list] = ordinal;
  }

  #appendNumber(list: number, number: number, lowBits: number): void {
    if (isShort(number, lowBits)) {
      this.#bits.append(list, shortCode(number, lowBits), shortLength(number, lowBits));
    } else {
      this.#bits.append(list, (1 << onesOfWhole) - 1, onesOfWhole);
      this.#bits.append(list, number >>> 16, 16);
      this.#bits.append(list, number & 0xffff, 16);
    }
  }

  /** Gives a term a list, and moves its only posting there. */
  #openList(term: number, ordinal: number): void {
    const list = this.#bits.open();
    this.#lowBits = withCapacity(this.#lowBits, list + 1);
    this.#stretchStarts = withCapacity(this.#stretchStarts, list + 1);
    this.#lowBits[list] = firstLowBits;
    this.#append(list, ordinal, this.#lists[term] ?? 0);
    this.#lists[term] = list;
  }

  #termOf(hash: number): number | undefined {
    const place = this.#slots[this.#slotOf(hash)] ?? 0;
    return place === 0 ? undefined : place - 1;
  }

  /** The slot of a hash, or the empty slot where it belongs. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const place = this.#slots[slot] ?? 0;
      if (place === 0 || this.#hashes[place - 1] === hash) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #newTerm(hash: number): number {
    const term = this.#terms;
    this.#hashes = withCapacity(this.#hashes, term + 1);
    this.#documents = withCapacity(this.#documents, term + 1);
    this.#lastOrdinals = withCapacity(this.#lastOrdinals, term + 1);
    this.#lists = withCapacity(this.#lists, term + 1);
    this.#hashes[term] = hash;
    this.#terms += 1;
    if (this.#terms > fullest * this.#slots.length) this.#widen();
    else this.#slots[this.#slotOf(hash)] = term + 1;
    return term;
  }

  #widen(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let term = 0; term < this.#terms; term += 1)
      this.#slots[this.#slotOf(this.#hashes[term] ?? 0)] = term + 1;
  }
}

const leastSlots = 1_024;
const fullest = 0.7;

/** The decoder may read this many bytes beyond the end of a list. */
const bytesBehind = 8;
const lowBitsOfWeight = 3;

/*
 * Gaps resemble those before them, because a word is frequent for a while. So the Rice parameter is set anew after each
 * stretch of postings, from the mean gap in that stretch. Setting it after each posting would make reading take twice
 * as long.
 */
const stretch = 16;
const firstLowBits = 10;

function lowBitsAfter(ordinals: number): number {
  return Math.min(mostLowBits, 31 - Math.clz32((ordinals / stretch) | 1));
}

function decode(
  view: DataView,
  documents: number,
  usualWeight: number,
  ordinals: Uint32Array,
  weights: Uint16Array,
): void {
  let bit = 0;
  let ordinal = -1;
  let lowBits = firstLowBits;
  let stretchStart = 0;
  for (let filled = 0; filled < documents; filled += 1) {
    let bits = bitsAt(view, bit);
    const ones = onesOf(bits);
    let gap: number;
    if (ones < onesOfWhole) {
      gap = shortNumber(bits, ones, lowBits);
      const length = ones + 1 + lowBits;
      bit += length;
      bits <<= length;
    } else {
      gap = wholeNumber(view, bit);
      bit += bitsOfWhole;
      bits = bitsAt(view, bit);
    }
    bit += 1;
    ordinal += gap + 1;
    ordinals[filled] = ordinal;
    if ((filled + 1) % stretch === 0) {
      lowBits = lowBitsAfter(ordinal - stretchStart);
      stretchStart = ordinal;
    }
    if (bits >= 0) {
      weights[filled] = usualWeight;
      continue;
    }
    bits = bitsAt(view, bit);
    const onesOfWeight = onesOf(bits);
    if (onesOfWeight < onesOfWhole) {
      weights[filled] = shortNumber(bits, onesOfWeight, lowBitsOfWeight);
      bit += onesOfWeight + 1 + lowBitsOfWeight;
    } else {
      weights[filled] = wholeNumber(view, bit);
      bit += bitsOfWhole;
    }
  }
}

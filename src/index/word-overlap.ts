import { termHash } from "./forward.ts";

/*
 * Which texts share how many words with a given one. A text is kept as the hashes of its words: for each occurrence a
 * posting of three numbers, which are the word's hash, the text, and the posting before it in the same bucket. So all
 * texts that hold a word are found by walking one short chain, and all of it lies in four flat arrays of known size,
 * outside the heap that the garbage collector walks.
 *
 * Groups of texts share the arrays; a word's hash is another in each group. Two words may share a hash, so what comes
 * out is near the truth, and its caller compares the texts themselves.
 */

const bytesPerPosting = 16;
const leastCapacity = 4_096;

/** A text that resembles another. */
export interface Overlap {
  readonly id: string;
  /** Shared words by all words of both, above 0 and at most 1; as good as hashes can tell. */
  readonly similarity: number;
}

interface Held {
  readonly id: string;
  readonly group: number;
  /** How many words it has. */
  readonly size: number;
}

/** Sets of words by groups, asked for those that overlap with a set. Takes no more memory than it was given. */
export class WordOverlap {
  readonly #maxPostings: number;
  #texts: Held[] = [];
  #postings = 0;
  /** The newest posting of each bucket; 0, which is no posting's number, ends a chain. */
  #newest = new Int32Array(0);
  #earlier = new Int32Array(0);
  #hashes = new Uint32Array(0);
  #holders = new Int32Array(0);
  /** Of each text the words that it shares with the one asked about; all 0 between two questions. */
  #shared = new Int32Array(0);

  constructor(maxBytes: number) {
    // The arrays double as they grow, so they come up to the largest power of two that fits.
    this.#maxPostings = 2 ** Math.floor(Math.log2(maxBytes / bytesPerPosting));
  }

  /** Adds a text. False, and nothing is added, where its words find no room. */
  add(group: number, id: string, words: ReadonlySet<string>): boolean {
    if (!this.#makeRoom(words.size)) return false;
    const text = this.#texts.push({ id, group, size: words.size }) - 1;
    for (const word of words) {
      const posting = ++this.#postings;
      this.#hashes[posting] = hashIn(group, word);
      this.#holders[posting] = text;
      this.#chain(posting);
    }
    return true;
  }

  /** The texts of a group whose similarity to a set of words is above a least one, in no order. */
  resembling(group: number, words: ReadonlySet<string>, above: number): Overlap[] {
    const touched: number[] = [];
    for (const word of words) this.#count(hashIn(group, word), touched);
    const found: Overlap[] = [];
    for (const at of touched) {
      const both = this.#shared[at] ?? 0;
      this.#shared[at] = 0;
      const text = this.#texts[at];
      if (text?.group !== group) continue;
      const similarity = both / (words.size + text.size - both);
      if (similarity > above) found.push({ id: text.id, similarity });
    }
    return found;
  }

  clear(): void {
    this.#texts = [];
    this.#postings = 0;
    this.#resize(0);
  }

  #count(hash: number, touched: number[]): void {
    const hashes = this.#hashes;
    const earlier = this.#earlier;
    let at = this.#newest[hash & (this.#newest.length - 1)] ?? 0;
    for (; at !== 0; at = earlier[at] ?? 0) {
      if (hashes[at] !== hash) continue;
      const text = this.#holders[at] ?? 0;
      const before = this.#shared[text] ?? 0;
      if (before === 0) touched.push(text);
      this.#shared[text] = before + 1;
    }
  }

  #makeRoom(words: number): boolean {
    const needed = this.#postings + words + 1;
    if (needed > this.#maxPostings) return false;
    if (this.#texts.length >= this.#shared.length)
      this.#shared = new Int32Array(Math.max(leastCapacity, 2 * this.#shared.length));
    if (needed <= this.#hashes.length) return true;
    let capacity = Math.max(leastCapacity, this.#hashes.length);
    while (capacity < needed) capacity *= 2;
    this.#resize(Math.min(capacity, this.#maxPostings));
    return true;
  }

  #resize(capacity: number): void {
    this.#hashes = resized(new Uint32Array(capacity), this.#hashes);
    this.#holders = resized(new Int32Array(capacity), this.#holders);
    this.#earlier = new Int32Array(capacity);
    this.#newest = new Int32Array(capacity);
    for (let posting = 1; posting <= this.#postings; posting += 1) this.#chain(posting);
  }

  #chain(posting: number): void {
    const bucket = (this.#hashes[posting] ?? 0) & (this.#newest.length - 1);
    this.#earlier[posting] = this.#newest[bucket] ?? 0;
    this.#newest[bucket] = posting;
  }
}

function resized<Numbers extends Uint32Array | Int32Array>(larger: Numbers, values: Numbers): Numbers {
  larger.set(values.subarray(0, larger.length));
  return larger;
}

/** The golden ratio of 2³² keeps neighbouring groups apart. */
function hashIn(group: number, word: string): number {
  return (termHash(word) + Math.imul(group, 0x9e3779b1)) >>> 0;
}

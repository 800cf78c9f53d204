import { termHash } from "./forward.ts";

/*
 * Which texts share how many words with a given one. A text is kept as the hashes of its words: for each occurrence a
 * posting of three numbers side by side, which are the word's hash, the text, and the posting before it in the same
 * bucket. So all texts that hold a word are found by walking one chain, a line of the processor's cache a step, and all
 * of it lies in two flat arrays of known size, outside the heap that the garbage collector walks.
 *
 * Groups of texts share the arrays; a word's hash is another in each group. Two words may share a hash, so what comes
 * out is near the truth, and its caller compares the texts themselves.
 */

const numbersPerPosting = 3;
const textOfPosting = 1;
const earlierPosting = 2;
/** With its bucket. */
const bytesPerPosting = 4 * (numbersPerPosting + 1);
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
  #count = 0;
  /** The newest posting of each bucket; 0, which is no posting's number, ends a chain. */
  #newest = new Int32Array(0);
  #postings = new Int32Array(0);
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
      const at = numbersPerPosting * ++this.#count;
      this.#postings[at] = hashIn(group, word);
      this.#postings[at + textOfPosting] = text;
      this.#chain(this.#count);
    }
    return true;
  }

  /** The texts of a group whose similarity to a set of words is above a least one, in no order. */
  resembling(group: number, words: ReadonlySet<string>, above: number): Overlap[] {
    const touched: number[] = [];
    for (const word of words) this.#countIn(hashIn(group, word), touched);
    const found: Overlap[] = [];
    for (const at of touched) {
      const both = this.#shared[at] ?? 0;
      this.#shared[at] = 0;
      // All words of both are no fewer than the given ones, so most texts need not be looked at.
      if (both <= above * words.size) continue;
      const text = this.#texts[at];
      if (text?.group !== group) continue;
      const similarity = both / (words.size + text.size - both);
      if (similarity > above) found.push({ id: text.id, similarity });
    }
    return found;
  }

  clear(): void {
    this.#texts = [];
    this.#count = 0;
    this.#resize(0);
  }

  #countIn(hash: number, touched: number[]): void {
    const postings = this.#postings;
    const shared = this.#shared;
    let posting = this.#newest[hash & (this.#newest.length - 1)] ?? 0;
    while (posting !== 0) {
      const at = numbersPerPosting * posting;
      if (postings[at] === hash) {
        const text = postings[at + textOfPosting] ?? 0;
        const before = shared[text] ?? 0;
        if (before === 0) touched.push(text);
        shared[text] = before + 1;
      }
      posting = postings[at + earlierPosting] ?? 0;
    }
  }

  #makeRoom(words: number): boolean {
    // One more, because no posting has the number 0.
    const needed = this.#count + words + 1;
    if (needed > this.#maxPostings) return false;
    if (this.#texts.length >= this.#shared.length)
      this.#shared = new Int32Array(Math.max(leastCapacity, 2 * this.#shared.length));
    let capacity = Math.max(leastCapacity, this.#newest.length);
    while (capacity < needed) capacity *= 2;
    if (capacity > this.#newest.length) this.#resize(Math.min(capacity, this.#maxPostings));
    return true;
  }

  #resize(capacity: number): void {
    const postings = new Int32Array(numbersPerPosting * capacity);
    postings.set(this.#postings.subarray(0, postings.length));
    this.#postings = postings;
    this.#newest = new Int32Array(capacity);
    for (let posting = 1; posting <= this.#count; posting += 1) this.#chain(posting);
  }

  #chain(posting: number): void {
    const at = numbersPerPosting * posting;
    const bucket = (this.#postings[at] ?? 0) & (this.#newest.length - 1);
    this.#postings[at + earlierPosting] = this.#newest[bucket] ?? 0;
    this.#newest[bucket] = posting;
  }
}

/** The golden ratio of 2³² keeps neighbouring groups apart. */
function hashIn(group: number, word: string): number {
  return (termHash(word) + Math.imul(group, 0x9e3779b1)) | 0;
}

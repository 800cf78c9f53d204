import { termHash } from "./forward.ts";

/*
 * Finds the texts that share many words with a given text. For each distinct word of a text there is a posting of three
 * adjacent numbers: the word's hash, the number of the text, and the number of the previous posting in the same bucket
 * of a hash table. So following one chain finds all texts with a word, at one processor cache line per step. Everything
 * lies in two flat arrays of known size, which the garbage collector need not walk.
 *
 * All groups of texts share the arrays; the group is part of a word's hash. Two words may share a hash, so the
 * similarities are approximate, and the caller has to compare the texts themselves.
 */

const numbersPerPosting = 3;
const textOfPosting = 1;
const earlierPosting = 2;
/** Including the posting's share of the buckets. */
const bytesPerPosting = 4 * (numbersPerPosting + 1);
const leastCapacity = 4_096;

/** A text that is similar to the given one. */
export interface Overlap {
  readonly id: string;
  /** Number of shared words divided by the number of all words of both (Jaccard): above 0, at most 1; approximate. */
  readonly similarity: number;
}

interface Held {
  readonly id: string;
  readonly group: number;
  /** The number of its distinct words. */
  readonly size: number;
}

/** Sets of words in groups, searched for sets that overlap a given one. Takes no more memory than `maxBytes`. */
export class WordOverlap {
  readonly #maxPostings: number;
  #texts: Held[] = [];
  #count = 0;
  /** The newest posting of each bucket. Postings are numbered from 1; 0 ends a chain. */
  #newest = new Int32Array(0);
  #postings = new Int32Array(0);
  /** For each text, how many words it shares with the given one; all 0 between two searches. */
  #shared = new Int32Array(0);

  constructor(maxBytes: number) {
    // The arrays grow by doubling, so the limit is the largest power of two that fits.
    this.#maxPostings = 2 ** Math.floor(Math.log2(maxBytes / bytesPerPosting));
  }

  /** Adds a text. Returns false, and adds nothing, if there is no room for its words. */
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

  /** The texts of a group whose similarity to `words` is greater than `above`, in no order. */
  resembling(group: number, words: ReadonlySet<string>, above: number): Overlap[] {
    const touched: number[] = [];
    for (const word of words) this.#countIn(hashIn(group, word), touched);
    const found: Overlap[] = [];
    for (const at of touched) {
      const both = this.#shared[at] ?? 0;
      this.#shared[at] = 0;
      // Both texts together have at least `words.size` words, so this bound skips most texts.
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
    // One more, because number 0 is not used.
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

/** Multiplying by 2³² divided by the golden ratio spreads neighbouring group numbers. */
function hashIn(group: number, word: string): number {
  return (termHash(word) + Math.imul(group, 0x9e3779b1)) | 0;
}

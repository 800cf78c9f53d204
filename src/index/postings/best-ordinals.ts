import { withCapacity } from "./with-capacity.ts";

/**
 * Keeps the best of many scored ordinals: a heap with the worst of the kept ones on top, so that one comparison rejects
 * most others. It is reused by all searches, because V8 would drop the code compiled for a heap created per search.
 */
export class BestOrdinals {
  #wanted = 0;
  #size = 0;
  #scores = new Float64Array();
  #ordinals = new Uint32Array();

  /** Empties the heap, to find the best `wanted` ordinals. */
  begin(wanted: number): void {
    this.#wanted = wanted;
    this.#size = 0;
    this.#scores = withCapacity(this.#scores, wanted);
    this.#ordinals = withCapacity(this.#ordinals, wanted);
  }

  /** The least score that an ordinal needs to be kept. Of ordinals with equal scores the higher is kept. */
  get floor(): number {
    return this.#size < this.#wanted ? -Infinity : (this.#scores[0] ?? 0);
  }

  add(ordinal: number, score: number): void {
    if (this.#size < this.#wanted) {
      this.#size += 1;
      this.#raise(this.#size - 1, ordinal, score);
    } else if (this.#isWorse(0, ordinal, score)) {
      this.#sink(ordinal, score);
    }
  }

  /** The best ordinals, in no order. A view, overwritten by the next search. */
  get all(): Uint32Array {
    return this.#ordinals.subarray(0, this.#size);
  }

  #isWorse(at: number, ordinal: number, score: number): boolean {
    const here = this.#scores[at] ?? 0;
    return here < score || (here === score && (this.#ordinals[at] ?? 0) < ordinal);
  }

  #put(at: number, ordinal: number, score: number): void {
    this.#scores[at] = score;
    this.#ordinals[at] = ordinal;
  }

  #raise(from: number, ordinal: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.#isWorse(parent, ordinal, score)) break;
      this.#put(at, this.#ordinals[parent] ?? 0, this.#scores[parent] ?? 0);
      at = parent;
    }
    this.#put(at, ordinal, score);
  }

  #sink(ordinal: number, score: number): void {
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      const worse = this.#worseOf(child, child + 1);
      if (!this.#isWorse(worse, ordinal, score)) break;
      this.#put(at, this.#ordinals[worse] ?? 0, this.#scores[worse] ?? 0);
      at = worse;
    }
    this.#put(at, ordinal, score);
  }

  #worseOf(left: number, right: number): number {
    if (right >= this.#size) return left;
    return this.#isWorse(right, this.#ordinals[left] ?? 0, this.#scores[left] ?? 0) ? right : left;
  }
}

/**
 * Keeps the best documents seen so far, each by its best row. Rows are collected without order, and the worse ones are
 * dropped whenever the arrays are full, which costs less than keeping them in order.
 */
export class Nearest {
  readonly #wanted: number;
  /** The document and the score of each row collected. */
  readonly #documents: Float64Array;
  readonly #scores: Float64Array;
  #count = 0;
  /** The least score that a row needs; may rise with every cut. */
  floor: number;

  constructor(wanted: number, floor: number) {
    this.#wanted = wanted;
    this.#documents = new Float64Array(slack * wanted);
    this.#scores = new Float64Array(slack * wanted);
    this.floor = floor;
  }

  /** Adds rows: documents and scores alternate in `pairs`. */
  addAll(pairs: Float64Array): void {
    for (let at = 0; at < pairs.length; at += 2) {
      const score = pairs[at + 1] ?? 0;
      if (score < this.floor) continue;
      this.#keep(pairs[at] ?? 0, score);
      if (this.#count === this.#scores.length) this.#cut();
    }
  }

  /** Documents and scores alternating, best first; of equal ones the newer document first. */
  pairs(): Float64Array {
    return Float64Array.from(this.#best().flat());
  }

  /** Document ids, best first; of equal ones the newer first. */
  documents(): number[] {
    return this.#best().map(([documentId]) => documentId);
  }

  #cut(): void {
    const sorted = this.#scores.slice(0, this.#count).sort();
    // Raises the floor to the highest score tried that enough documents reach. The steps double, because with many rows
    // per document there would otherwise be about as many tries as rows.
    for (let at = this.#count - this.#wanted, step = 0; at >= 0; ) {
      const least = sorted[at] ?? 0;
      const missing = this.#wanted - this.#documentsFrom(least);
      if (missing <= 0) this.floor = least;
      if (missing <= 0 || at === 0) break;
      step = Math.max(missing, 2 * step);
      at = Math.max(0, at - step);
    }
    this.#keepFrom(this.floor);
    // Too many are left, because documents have many rows or equal scores: only the best row of the best is kept.
    if (this.#count > this.#scores.length / 2) {
      const best = this.#best();
      this.#count = 0;
      for (const [documentId, score] of best) this.#keep(documentId, score);
    }
  }

  /** The number of documents with a score of at least `least`. */
  #documentsFrom(least: number): number {
    const found = new Set<number>();
    for (let at = 0; at < this.#count; at += 1)
      if ((this.#scores[at] ?? 0) >= least) found.add(this.#documents[at] ?? 0);
    return found.size;
  }

  #keepFrom(least: number): void {
    const count = this.#count;
    this.#count = 0;
    for (let at = 0; at < count; at += 1) {
      const score = this.#scores[at] ?? 0;
      if (score >= least) this.#keep(this.#documents[at] ?? 0, score);
    }
  }

  #keep(documentId: number, score: number): void {
    this.#documents[this.#count] = documentId;
    this.#scores[this.#count] = score;
    this.#count += 1;
  }

  #best(): [documentId: number, score: number][] {
    const best = new Map<number, number>();
    for (let at = 0; at < this.#count; at += 1) {
      const [documentId, score] = [this.#documents[at] ?? 0, this.#scores[at] ?? 0];
      if (score > (best.get(documentId) ?? -Infinity)) best.set(documentId, score);
    }
    return [...best].sort(([a, ofA], [b, ofB]) => ofB - ofA || b - a).slice(0, this.#wanted);
  }
}

const slack = 2;

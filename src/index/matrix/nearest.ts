/**
 * The best documents seen so far, each with its best row. Entries are gathered without order and cut back to the
 * wanted number now and then, which costs less than keeping order at every one.
 */
export class Nearest {
  readonly #wanted: number;
  #entries: Found[] = [];
  /** What an entry must reach to matter; rises with every cut. */
  floor: number;

  constructor(wanted: number, floor: number) {
    this.#wanted = wanted;
    this.floor = floor;
  }

  add(documentId: number, score: number): void {
    if (score < this.floor) return;
    this.#entries.push({ documentId, score });
    if (this.#entries.length >= slack * this.#wanted) this.#cut();
  }

  /** Documents and scores by turns. */
  addAll(pairs: Float64Array): void {
    for (let at = 0; at < pairs.length; at += 2) this.add(pairs[at] ?? 0, pairs[at + 1] ?? 0);
  }

  /** Best first; of equals the newer first. */
  found(): readonly Found[] {
    this.#cut();
    return this.#entries;
  }

  #cut(): void {
    const best = new Map<number, Found>();
    for (const entry of this.#entries) {
      const known = best.get(entry.documentId);
      if (known === undefined || entry.score > known.score) best.set(entry.documentId, entry);
    }
    this.#entries = [...best.values()]
      .sort((a, b) => b.score - a.score || b.documentId - a.documentId)
      .slice(0, this.#wanted);
    const last = this.#entries[this.#wanted - 1];
    if (last !== undefined) this.floor = last.score;
  }
}

const slack = 8;

/** A document and the score of its best row. */
export interface Found {
  readonly documentId: number;
  readonly score: number;
}

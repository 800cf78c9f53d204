import type { CountedKind } from "../storage/counts.ts";

/** Groups rows by origin and staleness, so that each group is counted at once. */
export class CountedRows<Row> {
  readonly #kinds = new Map<string, [CountedKind, Row[]]>();

  add(kind: CountedKind, row: Row): void {
    const key = `${kind.origin} ${kind.stale}`;
    const known = this.#kinds.get(key);
    if (known === undefined) this.#kinds.set(key, [kind, [row]]);
    else known[1].push(row);
  }

  [Symbol.iterator](): Iterator<[CountedKind, Row[]]> {
    return this.#kinds.values();
  }
}

import type { CountedKind } from "../storage/counts.ts";

/** Rows by what they have in common, so that each kind is counted once. */
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

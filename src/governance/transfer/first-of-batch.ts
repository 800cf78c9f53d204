import type { Writing } from "./collection.ts";

/**
 * For a role that only one row can have at a time, such as the holder of an action: remembers which row of a
 * batch claimed it first. Rows of earlier batches are found in the store. `forget` ends a batch.
 */
export class FirstOfBatch {
  readonly #firsts = new WeakMap<Writing, Map<string, string>>();

  /** The id of the row that claimed the key first: the given one, unless another did before. */
  idOf(writing: Writing, key: string, id: string): string {
    const firsts = this.#firsts.get(writing) ?? new Map<string, string>();
    this.#firsts.set(writing, firsts);
    const first = firsts.get(key) ?? id;
    firsts.set(key, first);
    return first;
  }

  forget(writing: Writing): void {
    this.#firsts.delete(writing);
  }
}

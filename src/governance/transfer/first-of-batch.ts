import type { Writing } from "./collection.ts";

/**
 * For what only one row may be at a time, such as the holder of something: which row of a batch was the first to say that
 * it is. What earlier batches wrote is in the store; a batch is over when it is forgotten.
 */
export class FirstOfBatch {
  readonly #firsts = new WeakMap<Writing, Map<string, string>>();

  /** The id of the row that came first with the key: the one given, unless another did. */
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

const mostKinds = 1_000;

/** What an import left out or changed: each sentence once, with its count. */
export class Warnings {
  readonly #counts = new Map<string, number>();

  add(sentence: string, times = 1): void {
    if (this.#counts.size >= mostKinds && !this.#counts.has(sentence)) return;
    this.#counts.set(sentence, (this.#counts.get(sentence) ?? 0) + times);
  }

  /** Each sentence with its count. */
  counts(): [sentence: string, times: number][] {
    return [...this.#counts];
  }

  list(): string[] {
    return [...this.#counts].map(([sentence, times]) =>
      times === 1 ? sentence : `${sentence} (${times} times)`,
    );
  }
}

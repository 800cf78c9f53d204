/** Limits how many pieces of work run at the same time; the others wait in order of arrival. */
export class Semaphore {
  readonly #max: number;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#inside >= this.#max) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The slot goes directly to the next one, so the count does not change.
      if (next !== undefined) next();
      else this.#inside -= 1;
    }
  }
}

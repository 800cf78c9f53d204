/** Lets at most so many work at once; the others wait in the order in which they came. */
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
      // The place passes straight on to the next one, so the count stays.
      if (next !== undefined) next();
      else this.#inside -= 1;
    }
  }
}

/** Lets so many through at once; the others wait in the order in which they came. */
export class Gate {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(width: number) {
    this.#width = width;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#inside >= this.#width) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes over without becoming free in between.
      if (next === undefined) this.#inside -= 1;
      else next();
    }
  }
}

import type { AnsweredQuestions } from "../../llm/answered-questions.ts";

/** What the runs of one process know of each other. */
export interface BetweenRuns {
  /** What runs that nobody asked for need not ask a model again. */
  readonly answered: AnsweredQuestions;
  readonly turns: Turns;
}

/** Work of one name is done one after another, in the order in which it came; other work does not wait for it. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name);
    // How the one before ended is told to who asked for it.
    const mine = before === undefined ? work() : before.then(work, work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}

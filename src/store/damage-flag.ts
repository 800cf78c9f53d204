import { isDamagedPageError } from "./damage.ts";
import { meansDamage } from "./faults.ts";
import type { Sql } from "./sql.ts";

/**
 * Remembers that a damaged page of a store was met, whoever met it: jobs log what they come upon, and a search leaves out
 * a stream that fails, so that nobody asks for the words for it. `place`: the store as its errors name it.
 */
export class DamageFlag {
  readonly #place: string;
  #isMet = false;

  constructor(place: string) {
    this.#place = place;
  }

  get isMet(): boolean {
    return this.#isMet;
  }

  note(error: unknown): void {
    if (meansDamage(error) || isDamagedPageError(error, this.#place)) this.#isMet = true;
  }

  /** Another database is in the store's place. */
  forget(): void {
    this.#isMet = false;
  }

  /** A connection of which every failure is noted. */
  watch(sql: Sql): Sql {
    const noted = <Result>(reading: Promise<Result>): Promise<Result> =>
      reading.catch((error: unknown) => {
        this.note(error);
        throw error;
      });
    return {
      all: <Row>(...args: Parameters<Sql["all"]>) => noted(sql.all<Row>(...args)),
      values: (...args) => noted(sql.values(...args)),
      run: (...args) => noted(sql.run(...args)),
    };
  }
}

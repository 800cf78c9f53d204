import { isDamagedPageError } from "./damage.ts";
import { meansDamage } from "./faults.ts";
import type { Sql } from "./sql.ts";

/**
 * Remembers that a damaged page of the store was met. Such an error may otherwise go unnoticed: jobs only log it, and a
 * search just leaves out the stream that failed. `place`: the store as error messages name it.
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

  /** Another database has taken the store's place. */
  forget(): void {
    this.#isMet = false;
  }

  /** Wraps a connection so that every failure on it is noted. */
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

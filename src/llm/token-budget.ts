import type { Ground } from "../ground.ts";
import { untilTomorrow, usageToday } from "./usage.ts";

/**
 * The tokens that may be used in a day. What calls under way may come to use is set aside, so that calls side by
 * side do not each take the same rest.
 */
export class TokenBudget {
  readonly #books: Pick<Ground, "store" | "now">;
  readonly #perDay: number;
  #setAside = 0;
  #waiting: (() => void)[] = [];

  /** With 0 there is no limit. */
  constructor(books: Pick<Ground, "store" | "now">, perDay: number) {
    this.#books = books;
    this.#perDay = perDay;
  }

  /**
   * Sets tokens aside for a call and gives the function that frees them. A background call must fit as a whole;
   * it waits for calls under way, which mostly give some back. One that somebody waits for is let through while
   * anything is left. Otherwise, how long until there is more.
   */
  async take(
    tokens: number,
    background: boolean,
  ): Promise<
    { readonly taken: true; readonly free: () => void } | { readonly taken: false; readonly waitMs: number }
  > {
    if (this.#perDay === 0) return { taken: true, free: () => undefined };
    for (;;) {
      const { tokens: used } = await usageToday(this.#books);
      // Nothing is awaited from here to where it is set aside, so two calls that come together see each other.
      const needed = background ? used + tokens : used + 1;
      if (needed > this.#perDay) return { taken: false, waitMs: untilTomorrow(this.#books.now()) };
      if (!background || needed + this.#setAside <= this.#perDay) break;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#setAside += tokens;
    const free = () => {
      this.#setAside -= tokens;
      for (const again of this.#waiting.splice(0)) again();
    };
    return { taken: true, free };
  }
}

/** At most so many tokens are in a text: of all that models read, only text without words has more in its bytes. */
export function mostTokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 2);
}

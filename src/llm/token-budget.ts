import type { Ground } from "../ground.ts";
import { untilTomorrow, usageToday } from "./usage.ts";

/**
 * Limits the tokens per day. The tokens that calls in progress may use are reserved, so that concurrent calls do not
 * all claim the same rest.
 */
export class TokenBudget {
  readonly #books: Pick<Ground, "store" | "now">;
  readonly #perDay: number;
  #setAside = 0;
  #waiting: (() => void)[] = [];

  /** 0 means no limit. */
  constructor(books: Pick<Ground, "store" | "now">, perDay: number) {
    this.#books = books;
    this.#perDay = perDay;
  }

  /**
   * Reserves tokens for a call and returns the function that releases them. A background call must fit completely; it
   * waits for calls in progress, which usually release a part of theirs. Other calls are admitted as long as anything
   * is left. Otherwise returns how long until the next budget.
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
      // No await between here and the reservation, so concurrent calls see each other's.
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

/**
 * An upper bound for the tokens of a text; only text without words (such as random characters) can have more than one
 * token for two bytes.
 */
export function mostTokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 2);
}

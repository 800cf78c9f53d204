import { hourMs } from "../time/durations.ts";

/** Counts calls of the last sixty minutes in this process. */
export class HourlyLimit {
  readonly #mostCalls: number;
  readonly #monotonic: () => number;
  /** Times of the calls of the last hour, oldest first. */
  #times: number[] = [];

  /** With 0 there is no limit. */
  constructor(mostCalls: number, monotonic: () => number) {
    this.#mostCalls = mostCalls;
    this.#monotonic = monotonic;
  }

  /** Takes one call's place; otherwise says how long until one is free. */
  take(): { readonly taken: true } | { readonly taken: false; readonly waitMs: number } {
    if (this.#mostCalls === 0) return { taken: true };
    const now = this.#monotonic();
    this.#times = this.#times.filter((time) => time > now - hourMs);
    const [oldest] = this.#times;
    if (oldest !== undefined && this.#times.length >= this.#mostCalls)
      return { taken: false, waitMs: oldest + hourMs - now };
    this.#times.push(now);
    return { taken: true };
  }
}

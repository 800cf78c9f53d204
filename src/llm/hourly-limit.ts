import { hourMs } from "../time/durations.ts";

/** Limits the calls within sixty minutes, in this process. */
export class HourlyLimit {
  readonly #mostCalls: number;
  readonly #monotonic: () => number;
  /** Times of the calls within the last hour, oldest first. */
  #times: number[] = [];

  /** 0 means no limit. */
  constructor(mostCalls: number, monotonic: () => number) {
    this.#mostCalls = mostCalls;
    this.#monotonic = monotonic;
  }

  /** Counts a call, or returns how long until another one is allowed. */
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

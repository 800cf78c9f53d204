import type { LlmState } from "./language-model.ts";
import type { CallFailure } from "./model-call.ts";

/*
 * Keeps a failing provider from being asked at every turn. Closed, it counts failures in a row; the third opens
 * it. When its time is over it is half-open: one call tries, whose success closes it and whose failure opens it
 * again. Times are milliseconds of the clock that is handed in.
 */

const failuresToOpen = 3;
const openMs = 60_000;
const shortestOpenMs = 1_000;
const longestOpenMs = 600_000;
const unauthorizedMs = 600_000;

/** What says nothing about the provider's health: the request's own fault, or nobody wanted the answer any more. */
const harmless: ReadonlySet<CallFailure> = new Set(["refused", "cancelled"]);

export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #lastFailureAt: number | null = null;
  #openedAt: number | null = null;
  #openUntil = 0;
  #isTrying = false;
  #isUnauthorized = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Lets a call through, which must report back; else how long to wait. */
  admit(): { readonly admitted: true } | { readonly admitted: false; readonly waitMs: number } {
    if (this.#openedAt === null) return { admitted: true };
    const waitMs = this.#openUntil - this.#now();
    if (waitMs > 0) return { admitted: false, waitMs };
    if (this.#isTrying) return { admitted: false, waitMs: openMs };
    this.#isTrying = true;
    return { admitted: true };
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openedAt = null;
    this.#isTrying = false;
    this.#isUnauthorized = false;
  }

  /** The call that was let through is not made after all. */
  withdrawn(): void {
    this.#isTrying = false;
  }

  failed(failure: CallFailure, retryAfterMs: number | undefined): void {
    const wasTrying = this.#isTrying;
    this.#isTrying = false;
    if (harmless.has(failure)) return;
    this.#failures += 1;
    this.#lastFailureAt = this.#now();
    this.#isUnauthorized = failure === "unauthorized";
    if (this.#isUnauthorized) this.#open(unauthorizedMs);
    else if (wasTrying || this.#failures >= failuresToOpen)
      this.#open(Math.min(Math.max(retryAfterMs ?? openMs, shortestOpenMs), longestOpenMs));
  }

  get isUnauthorized(): boolean {
    return this.#isUnauthorized;
  }

  state(): LlmState {
    const isOver = this.#openedAt !== null && this.#now() >= this.#openUntil;
    return {
      state: this.#openedAt === null ? "closed" : isOver ? "half-open" : "open",
      failures: this.#failures,
      lastFailureAt: this.#lastFailureAt,
      openedAt: this.#openedAt,
    };
  }

  #open(forMs: number): void {
    const now = this.#now();
    this.#openedAt = now;
    // A call that was under way when another opened it does not cut the time short.
    this.#openUntil = Math.max(this.#openUntil, now + forMs);
  }
}

import type { Ground } from "../ground.ts";
import type { LlmState } from "./language-model.ts";
import type { CallFailure } from "./model-call.ts";

/*
 * Keeps a failing provider from being asked every time. Closed: counts consecutive failures; the third one opens it.
 * Open: no calls until its time is over. Half-open: one call is tried; success closes it, failure opens it again. How
 * long it stays open is measured by a monotonic clock; the times that it reports are wall-clock times.
 */

const failuresToOpen = 3;
const openMs = 60_000;
const shortestOpenMs = 1_000;
const longestOpenMs = 600_000;
const unauthorizedMs = 600_000;

/** Failures that say nothing about the provider's health: the request was at fault, or it was cancelled. */
const harmless: ReadonlySet<CallFailure> = new Set(["refused", "cancelled"]);

export type Clocks = Pick<Ground, "now" | "monotonic">;

export class CircuitBreaker {
  readonly #clocks: Clocks;
  #failures = 0;
  #lastFailureAt: number | null = null;
  #openedAt: number | null = null;
  /** In monotonic time. */
  #openUntil = 0;
  #isTrying = false;
  #isUnauthorized = false;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  /** Admits a call, which must report its outcome; otherwise returns how long to wait. */
  admit(): { readonly admitted: true } | { readonly admitted: false; readonly waitMs: number } {
    if (this.#openedAt === null) return { admitted: true };
    const waitMs = this.#openUntil - this.#clocks.monotonic();
    if (waitMs > 0) return { admitted: false, waitMs };
    if (this.#isTrying) return { admitted: false, waitMs: openMs };
    this.#isTrying = true;
    return { admitted: true };
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openedAt = null;
    this.#openUntil = 0;
    this.#isTrying = false;
    this.#isUnauthorized = false;
  }

  /** The admitted call is not made after all. */
  withdrawn(): void {
    this.#isTrying = false;
  }

  failed(failure: CallFailure, retryAfterMs: number | undefined): void {
    const wasTrying = this.#isTrying;
    this.#isTrying = false;
    if (harmless.has(failure)) return;
    this.#failures += 1;
    this.#lastFailureAt = this.#clocks.now();
    this.#isUnauthorized = failure === "unauthorized";
    if (this.#isUnauthorized) this.#open(unauthorizedMs);
    else if (wasTrying || this.#failures >= failuresToOpen)
      this.#open(Math.min(Math.max(retryAfterMs ?? openMs, shortestOpenMs), longestOpenMs));
  }

  get isUnauthorized(): boolean {
    return this.#isUnauthorized;
  }

  state(): Omit<LlmState, "alert" | "problems"> {
    const isOver = this.#openedAt !== null && this.#clocks.monotonic() >= this.#openUntil;
    return {
      state: this.#openedAt === null ? "closed" : isOver ? "half-open" : "open",
      failures: this.#failures,
      lastFailureAt: this.#lastFailureAt,
      openedAt: this.#openedAt,
    };
  }

  #open(forMs: number): void {
    this.#openedAt = this.#clocks.now();
    // The maximum, because a call that began before the breaker opened must not shorten its time.
    this.#openUntil = Math.max(this.#openUntil, this.#clocks.monotonic() + forMs);
  }
}

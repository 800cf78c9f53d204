import { retryAfterMs } from "../jobs/retry-after.ts";
import { CircuitBreaker, type Clocks } from "../llm/circuit-breaker.ts";
import type { CallFailure } from "../llm/model-call.ts";
import { MemsvcError } from "../operation/errors.ts";
import { isRefusal } from "./provider.ts";

/**
 * A circuit breaker for a vendor, so that not every search waits up to its deadline while the vendor does not answer.
 */
export class VendorGuard {
  readonly #breaker: CircuitBreaker;

  constructor(clocks: Clocks) {
    this.#breaker = new CircuitBreaker(clocks);
  }

  /** Runs the work. Error: provider_failed, for a while after failures, without running it. */
  async ask<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#breaker.admit().admitted)
      throw new MemsvcError("provider_failed", "the vendor is not called for a while after failures");
    try {
      const answer = await work();
      this.#breaker.succeeded();
      return answer;
    } catch (error) {
      this.#breaker.failed(failureOf(error), retryAfterMs(error, "provider_failed"));
      throw error;
    }
  }
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof DOMException && error.name === "TimeoutError") return "timed_out";
  if (isRefusal(error)) return "refused";
  return "server_error";
}

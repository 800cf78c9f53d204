import { retryAfterMs } from "../jobs/retry-after.ts";
import { wasInVain } from "./in-vain.ts";
import type { LanguageModel } from "./language-model.ts";

/**
 * Decides whether background work waits until its model may be asked again. Not if the model has already worked on it
 * in vain and the circuit breaker is open: each retry would ask, and cost, the same.
 */
export class Patience {
  readonly #llm: Pick<LanguageModel, "state">;
  #hasAskedInVain = false;

  constructor(llm: Pick<LanguageModel, "state">) {
    this.#llm = llm;
  }

  /** Must be called with every error of a question. */
  isWorthWaiting(error: unknown): boolean {
    this.#hasAskedInVain ||= wasInVain(error);
    const waitMs = retryAfterMs(error);
    if (waitMs === undefined) return false;
    const isStopping = waitMs === 0;
    return isStopping || !this.#hasAskedInVain || this.#llm.state().state === "closed";
  }
}

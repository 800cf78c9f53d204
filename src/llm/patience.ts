import { retryAfterMs } from "../jobs/retry-after.ts";
import { wasInVain } from "./in-vain.ts";
import type { LanguageModel } from "./language-model.ts";

/**
 * Whether work that nobody waits for is put off until its model may be asked again. Not once the model was at work
 * on it in vain and the guard closed: that would ask, and pay for, the same each time that the guard lets it try.
 */
export class Patience {
  readonly #llm: Pick<LanguageModel, "state">;
  #hasAskedInVain = false;

  constructor(llm: Pick<LanguageModel, "state">) {
    this.#llm = llm;
  }

  /** To be told of every error that comes of a question. */
  isWorthWaiting(error: unknown): boolean {
    this.#hasAskedInVain ||= wasInVain(error);
    const waitMs = retryAfterMs(error);
    if (waitMs === undefined) return false;
    const isStopping = waitMs === 0;
    return isStopping || !this.#hasAskedInVain || this.#llm.state().state === "closed";
  }
}

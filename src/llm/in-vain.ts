import { isMemsvcError } from "../operation/errors.ts";
import type { CallFailure } from "./model-call.ts";

const spoken: readonly unknown[] = ["unreadable", "refused"] satisfies CallFailure[];
/** Failures after which the provider may charge for an answer that did not arrive. */
const unheard: readonly unknown[] = ["timed_out", "broken_off"] satisfies CallFailure[];

/** Whether the model answered, but unusably: asking the same again would not help. */
export function wasUnusableAnswer(error: unknown): boolean {
  return isMemsvcError(error, "provider_failed") && spoken.includes(error.extra.reason);
}

/** Whether a question was (or may have been) paid for without a usable answer. */
export function wasInVain(error: unknown): boolean {
  return (
    wasUnusableAnswer(error) ||
    (isMemsvcError(error, "provider_failed") && unheard.includes(error.extra.reason))
  );
}

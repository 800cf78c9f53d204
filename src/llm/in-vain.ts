import { isMemsvcError } from "../operation/errors.ts";
import type { CallFailure } from "./model-call.ts";

const spoken: readonly unknown[] = ["unreadable", "refused"] satisfies CallFailure[];
/** Of these no answer came, though one is paid. */
const unheard: readonly unknown[] = ["timed_out", "broken_off"] satisfies CallFailure[];

/** The model spoke, and what it said is of no use: asking it the same again would not help. */
export function wasOfNoUse(error: unknown): boolean {
  return isMemsvcError(error, "provider_failed") && spoken.includes(error.extra.reason);
}

/** The model was at work on a question, which is paid, and nothing came of it. */
export function wasInVain(error: unknown): boolean {
  return (
    wasOfNoUse(error) || (isMemsvcError(error, "provider_failed") && unheard.includes(error.extra.reason))
  );
}

import { isMemsvcError } from "../operation/errors.ts";
import type { CallFailure } from "./model-call.ts";

const spoken: readonly unknown[] = ["unreadable", "refused"] satisfies CallFailure[];
const atWork: readonly unknown[] = [...spoken, "timed_out" satisfies CallFailure];

/** The model spoke, and what it said is of no use: asking it the same again would not help. */
export function wasOfNoUse(error: unknown): boolean {
  return isMemsvcError(error, "provider_failed") && spoken.includes(error.extra.reason);
}

/** The model was at work on a question, which is paid, and nothing came of it. */
export function wasInVain(error: unknown): boolean {
  return isMemsvcError(error, "provider_failed") && atWork.includes(error.extra.reason);
}

import { exitCodeOfError, isMemsvcError, messageOf } from "../../operation/errors.ts";
import { describeSystemError } from "../errors/describe-system-error.ts";

/** The routes that hooks call. */
export type HookRoute = "observe" | "session/start" | "session/end";

export interface ObserveOutcome {
  /** Exit code with --strict. */
  readonly exit: number;
  /** The answer as JSON text. */
  readonly answer?: string;
  /** Standard output for the agent that runs the hook. */
  readonly reply?: string;
  readonly problem?: string;
  /** Set if the work was not finished within a hook's time and is still going on. */
  readonly isLate?: true;
}

/** The outcome of work that failed, so that something was not done: `nothing was captured`. */
export function failedOutcome(error: unknown, undone: string): ObserveOutcome {
  const fault = describeSystemError(error);
  const hint = isMemsvcError(error) ? error.hint : fault?.hint;
  const wayOut = hint === undefined ? "" : `\nhint: ${hint}`;
  return {
    exit: exitCodeOfError(error),
    problem: `${fault?.problem ?? messageOf(error)}; ${undone}${wayOut}`,
  };
}

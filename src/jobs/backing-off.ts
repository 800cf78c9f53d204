import type { Ground } from "../ground.ts";
import type { LoopRun } from "./background-loop.ts";

interface FallibleWork {
  /** Does the pending work; it should end early when the signal is aborted. */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  readonly everyMs: number;
  /** Logged at the first of several failures in a row. */
  readonly failure: string;
  /** The pause that an error asks for; undefined when it asks for none. */
  readonly restMs?: (error: unknown) => number | undefined;
}

/** After failures the pause doubles each time, up to this. */
const longestPauseMs = 300_000;
const longestRestMs = 600_000;

/** Work that is done at intervals, and after failures at longer ones. */
export function backingOff(
  { log }: Pick<Ground, "log">,
  { work, everyMs, failure, restMs }: FallibleWork,
): LoopRun {
  let failures = 0;
  return async (signal) => {
    try {
      await work(signal);
      failures = 0;
      return everyMs;
    } catch (error) {
      if (signal.aborted) return everyMs;
      if (failures === 0) log("warn", failure, { error: String(error) });
      failures += 1;
      const pauseMs = Math.min(longestPauseMs, everyMs * 2 ** failures);
      return Math.max(pauseMs, Math.min(longestRestMs, restMs?.(error) ?? 0));
    }
  };
}

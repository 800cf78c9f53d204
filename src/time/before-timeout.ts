import { setImmediate as nextTurn } from "node:timers/promises";
import { maxTimerMs } from "./durations.ts";
import { monotonicMs } from "./monotonic-ms.ts";

/**
 * Waits for a promise, but at most `timeoutMs` of the given clock, which may be Infinity. After "late" the work
 * continues unobserved, and may fail. Throws the work's error if it fails in time.
 *
 * An answer that has arrived counts, even if this thread was held up, or the process was stopped, until the time was
 * over: the event loop runs timers before it passes on what came from other threads.
 */
export async function beforeTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  monotonic: () => number = monotonicMs,
): Promise<{ readonly answer: T } | "late"> {
  const answered = work.then((answer) => ({ answer }));
  const end = monotonic() + timeoutMs;
  for (let leftMs = timeoutMs; ; leftMs = end - monotonic()) {
    const outcome = await withinTimer(answered, Math.min(maxTimerMs, Math.max(0, leftMs)));
    // A timer may have been set for less, and uses the system's clock, by which it may fire slightly early.
    if (outcome !== "late") return outcome;
    if (monotonic() >= end) return Promise.race([answered, nextTurn("late" as const)]);
  }
}

async function withinTimer<T>(work: Promise<T>, timeoutMs: number): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

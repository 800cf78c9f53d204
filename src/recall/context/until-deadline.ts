import type { Ground } from "../../ground.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";

/**
 * Runs tasks one after another until a deadline, and returns the answers of those that finished in time, which may be
 * fewer than there are tasks. Local reads block the thread, so starting all at once would gain nothing. A task that is
 * not ready at the deadline is abandoned. Errors: those of a task that fails in time.
 */
export async function untilDeadline<T>(
  tasks: readonly (() => Promise<T>)[],
  deadlineMs: number,
  { monotonic }: Pick<Ground, "monotonic">,
): Promise<T[]> {
  const end = monotonic() + deadlineMs;
  const answers: T[] = [];
  for (const task of tasks) {
    const leftMs = end - monotonic();
    const settled = leftMs <= 0 ? "late" : await beforeTimeout(task(), leftMs, monotonic);
    if (settled === "late") break;
    answers.push(settled.answer);
  }
  return answers;
}

/**
 * Waits for an answer so many milliseconds of the given clock at most; whoever gave up leaves the work to itself.
 * Errors: the work's, in time.
 */
export async function beforeTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  monotonic: () => number = () => performance.now(),
): Promise<{ readonly answer: T } | "late"> {
  const answered = work.then((answer) => ({ answer }));
  const end = monotonic() + timeoutMs;
  for (let leftMs = timeoutMs; ; leftMs = end - monotonic()) {
    const outcome = await withinTimer(answered, Math.max(0, leftMs));
    // A timer goes by the system's clock, and is a little early now and then.
    if (outcome !== "late" || monotonic() >= end) return outcome;
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

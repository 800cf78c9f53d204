/** Waits for an answer so many milliseconds at most; whoever gave up leaves the work to itself. Errors: the work's, in time. */
export async function beforeTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
): Promise<{ readonly answer: T } | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), timeoutMs);
  });
  try {
    return await Promise.race([work.then((answer) => ({ answer })), late]);
  } finally {
    clearTimeout(timer);
  }
}

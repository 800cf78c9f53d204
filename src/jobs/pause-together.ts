/** Something that works in the background, and can be held while other work is done. */
interface Pausable {
  pauseFor<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Pauses all parts at once, so that the wait is as long as the slowest of them takes, and does the work once all have
 * paused. Errors: those of the parts, which then all go on.
 */
export async function pauseTogether<T>(parts: readonly Pausable[], work: () => Promise<T>): Promise<T> {
  let release = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    release = resolve;
  });
  const paused = parts.map(
    (part) =>
      new Promise<void>((resolve, reject) => {
        const held = async () => {
          resolve();
          await done;
        };
        part.pauseFor(held).catch(reject);
      }),
  );
  try {
    await Promise.all(paused);
    return await work();
  } finally {
    release();
  }
}

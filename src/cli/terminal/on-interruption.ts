/** What ends a program from outside. */
export const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Has something done before a signal ends the program, as it would have otherwise; until what is returned is called. */
export function onInterruption(work: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    release();
    work();
    // When nobody listens any more, this ends the process as the signal would have.
    process.kill(process.pid, signal);
  };
  const release = () => {
    for (const signal of endings) process.off(signal, end);
  };
  for (const signal of endings) process.on(signal, end);
  return release;
}

/** What ends a program from outside. */
export const terminationSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Has something done before a signal ends the program, as it would have otherwise; until what is returned is called. */
export function onTerminationSignal(work: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    release();
    work();
    // When nobody listens any more, this ends the process as the signal would have.
    process.kill(process.pid, signal);
  };
  const release = () => {
    for (const signal of terminationSignals) process.off(signal, end);
  };
  for (const signal of terminationSignals) process.on(signal, end);
  return release;
}

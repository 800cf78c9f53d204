/** Signals that end a program from outside. */
export const terminationSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs `work` before a signal ends the program; until the returned function is called. */
export function onTerminationSignal(work: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    release();
    work();
    // The handlers were removed, so this ends the process as the signal would have.
    process.kill(process.pid, signal);
  };
  const release = () => {
    for (const signal of terminationSignals) process.off(signal, end);
  };
  for (const signal of terminationSignals) process.on(signal, end);
  return release;
}

/** Starts to count processor time, in milliseconds: on a busy machine a clock tells nothing of what a work takes. */
export function processorTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}

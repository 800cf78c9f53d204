/** Starts to measure processor time, in milliseconds, which other load on the machine hardly changes. */
export function processorTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}

/**
 * Milliseconds of a clock that nobody sets, since some moment of the past. Not `performance.now()`: reading
 * `performance` makes Node load eight modules, which takes a hook longer than its event.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}

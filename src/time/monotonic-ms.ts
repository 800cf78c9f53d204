/**
 * Milliseconds of a clock that nobody sets, since this process started. Not `performance.now()`: reading `performance`
 * makes Node load eight modules, which takes a hook longer than its event.
 */
export function monotonicMs(): number {
  return process.uptime() * 1_000;
}

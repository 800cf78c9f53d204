/**
 * When work is due that pauses for `restMs` between two runs. A last run in the future means that the clock was set
 * back since; then the pause counts from now.
 */
export function dueAfterCooldown(now: number, lastRunAt: number | null | undefined, restMs: number): number {
  if (lastRunAt === null || lastRunAt === undefined) return now;
  return Math.max(now, Math.min(lastRunAt, now) + restMs);
}

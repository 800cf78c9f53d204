/**
 * When work that rests for a while between two runs is due. A last run that lies ahead was noted by a clock that was set
 * back since: then it rests from now on.
 */
export function dueAfterCooldown(now: number, lastRunAt: number | null | undefined, restMs: number): number {
  if (lastRunAt === null || lastRunAt === undefined) return now;
  return Math.max(now, Math.min(lastRunAt, now) + restMs);
}

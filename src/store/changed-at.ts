/*
 * When a row was changed. Where stores meet, the later change stays, and the change before may have been made elsewhere,
 * by a clock that goes fast: a change here is still the later one, so it is noted right behind.
 */

export function changedAt(nowMs: number, beforeMs: number): number {
  return beforeMs > nowMs ? beforeMs + 1 : nowMs;
}

/** The same in an UPDATE of a row with `updated_at`; `now` is a parameter. */
export function changedAtSql(now: string): string {
  return `max(${now}, updated_at + (updated_at > ${now}))`;
}

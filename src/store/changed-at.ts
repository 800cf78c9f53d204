/*
 * The time of a change to a row. Where stores exchange rows, the later change wins. The previous change may carry the
 * time of another machine's clock that is fast; the new one must still be later, so it is dated right after it.
 */

export function changedAt(nowMs: number, beforeMs: number): number {
  return beforeMs > nowMs ? beforeMs + 1 : nowMs;
}

/** `changedAt` for an UPDATE of a row with `updated_at`; `now` is the name of a parameter. */
export function changedAtSql(now: string): string {
  return `max(${now}, updated_at + (updated_at > ${now}))`;
}

/*
 * Ages, for what fades or is deleted with age. A machine whose clock is not set yet believes that it is 1970, or the
 * year of its firmware. What it writes then would look decades old once the clock is right, and be deleted. No coding
 * agent has a memory from before 2020, so a time before that tells no age.
 */

export const firstCredible = Date.UTC(2020, 0, 1);

/** How long ago a time was; 0 for times that lie ahead, or that an unset clock gave. */
export function ageMs(now: number, time: number): number {
  return time < firstCredible ? 0 : Math.max(0, now - time);
}

/** `ageMs` in SQL. */
export function ageSql(now: string, time: string): string {
  return `iif(${time} < ${firstCredible}, 0, max(0, ${now} - ${time}))`;
}

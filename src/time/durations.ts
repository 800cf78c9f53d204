/* Durations in milliseconds. */

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const weekMs = 7 * dayMs;

/** The longest time for which a timer can be set. */
export const maxTimerMs = 2 ** 31 - 1;

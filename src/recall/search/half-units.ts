import type { TimeSpan } from "../../index/scope.ts";
import { back, daysAround, daysBack } from "./time-spans.ts";

/* Times in half units: half a year ago, anderthalb Stunden, 一個半月. `halves` counts them: a year and a half has three. */

/** The span of phrases such as "half a year ago", which is wider the larger the unit is. */
export function aroundHalves(now: Date, halves: number, of: string): TimeSpan {
  const slackDays = { week: 2, month: 7, year: 45 }[of] ?? 0;
  return daysAround(halvesBack(now, halves, of), slackDays);
}

/** From then until the end of today. */
export function lastHalves(now: Date, halves: number, of: string): TimeSpan {
  return { since: halvesBack(now, halves, of).getTime(), until: daysBack(now, 0, 0).until };
}

export function halvesBack(now: Date, halves: number, of: string): Date {
  switch (of) {
    case "year":
      return back(now, 6 * halves, "month");
    case "month":
      return back(now, 15 * halves, "day");
    case "week":
      return back(now, 84 * halves, "hour");
    case "day":
      return back(now, 12 * halves, "hour");
    case "hour":
      return back(now, 30 * halves, "minute");
    default:
      return back(now, halves / 2, of);
  }
}

import type { TimeSpan } from "../../index/scope.ts";
import { weekMs } from "../../time/durations.ts";
import { back, type Phrase } from "./time-spans.ts";

/* Times from one moment to another: "between Monday and Wednesday", "from 2026-03-01 to 2026-03-05". */

/** A moment at one end of a range. */
interface End extends TimeSpan {
  /** A weekday or a month, which comes again. */
  readonly isRecurring: boolean;
}

export type FindEnd = (name: string, now: Date) => End | undefined;

/** The pattern finds the names of the two ends, which may be dates, as texts contain them, too. */
export function rangePhrase(pattern: RegExp, endNamed: FindEnd, areDates: boolean): Phrase {
  return {
    pattern,
    ...(areDates ? { isText: true } : {}),
    span: ([, from = "", to = ""], now) => {
      const [first, last] = [endNamed(from, now), endNamed(to, now)];
      return first === undefined || last === undefined ? undefined : between(first, last);
    },
  };
}

function between(first: End, last: End): TimeSpan {
  if (first.since <= last.since) return { since: first.since, until: last.until };
  if (!first.isRecurring) return { since: last.since, until: first.until };
  // On a Saturday, "from Friday to Monday" begins with the Friday before that Monday, not with yesterday.
  const cycle = first.since - last.since < weekMs ? "week" : "year";
  return { since: back(new Date(first.since), 1, cycle).getTime(), until: last.until };
}

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

/** How a language tells such a time. */
export interface RangeWords {
  /** The pattern of a range between two moments. */
  readonly form: (first: string, last: string) => string;
  /** Moments, without the words that they have where they stand alone: dates, which texts contain, too, and others. */
  readonly dates: string;
  readonly days: string;
  /** Those weekdays and months that a text may also name without such a word. */
  readonly recurring?: RegExp;
  /** The week before a weekday, which holds for the one at the end, too: 上周一到周三. */
  readonly week?: RegExp;
  /** Adds the boundaries of words. */
  readonly alone: (phrase: string) => RegExp;
}

/** The day before a date that tells the month of both: `from 3 to 5 March`. */
const dayNumber = "\\d{1,2}(?:st|nd|rd|th|er|\\.)?";
const isDayNumber = new RegExp(`^${dayNumber}$`);

/** Ranges between dates, and ranges between any moments. */
export function rangePhrases(words: RangeWords, endNamed: FindEnd): Phrase[] {
  const { form, dates, days, recurring, week, alone } = words;
  const spanOf: Phrase["span"] = ([, from = "", to = ""], now) => {
    const opening = isDayNumber.test(from) ? to.replace(new RegExp(dayNumber), from) : from;
    if (opening === to) return undefined;
    const ofWeek = recurring?.test(to) === true ? (week?.exec(opening)?.[0] ?? "") : "";
    const first = endNamed(opening, now);
    const sameWeek = ofWeek === "" ? undefined : endNamed(`${ofWeek}${to}`, now);
    const isLater = first !== undefined && sameWeek !== undefined && sameWeek.since > first.since;
    const last = isLater ? sameWeek : endNamed(to, now);
    if (first === undefined || last === undefined) return undefined;
    return between(first, last, first.isRecurring || recurring?.test(opening) === true);
  };
  const among = (moments: string): RegExp => {
    const plain = moments.replace(/\((?!\?)/g, "(?:");
    return alone(form(`(${plain}|${dayNumber})`, `(${plain})`));
  };
  return [
    { pattern: among(dates), isText: true, span: spanOf },
    { pattern: among(`${dates}|${days}`), span: spanOf },
  ];
}

function between(first: End, last: End, isRecurring: boolean): TimeSpan {
  if (first.since <= last.since) return { since: first.since, until: last.until };
  if (!isRecurring) return { since: last.since, until: first.until };
  // On a Saturday, "from Friday to Monday" begins with the Friday before that Monday, not with yesterday.
  const cycle = first.since - last.since < weekMs ? "week" : "year";
  return { since: back(new Date(first.since), 1, cycle).getTime(), until: last.until };
}

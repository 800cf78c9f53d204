import type { TimeSpan } from "../../index/scope.ts";
import type { LatinLanguage } from "../../text/query-language.ts";
import { hourMs, minuteMs } from "../../time/durations.ts";

/* Spans of days, weeks, months and years in local time, as people mean them. */

/** A phrase that means a time. */
export interface Phrase {
  readonly pattern: RegExp;
  /** Computes the span; undefined when the numbers are no date. */
  readonly span: (found: readonly (string | undefined)[], now: Date) => TimeSpan | undefined;
  /** Set for dates, which texts contain literally. */
  readonly isText?: true;
  /** Set for words that are as likely a part of what is asked for: they stay in a query that has others. */
  readonly mayBeContent?: true;
  /** Set for words that mean something else in another language. */
  readonly onlyIn?: LatinLanguage;
}

export function dayOf(year: number, monthIndex: number, day: number): TimeSpan | undefined {
  const start = new Date(year, monthIndex, day);
  if (start.getMonth() !== monthIndex || start.getDate() !== day) return undefined;
  return { since: start.getTime(), until: endOfDay(start) };
}

/** As many years have each day of the calendar among them, even where a century ends without a leap year. */
const yearsWithAnyDay = 9;

/** Of the year that is given, else of the last that had it. */
export function dayIn(
  year: number | undefined,
  monthIndex: number,
  day: number,
  now: Date,
): TimeSpan | undefined {
  if (year !== undefined) return dayOf(year, monthIndex, day);
  for (let yearsBefore = 0; yearsBefore < yearsWithAnyDay; yearsBefore += 1) {
    const span = dayOf(now.getFullYear() - yearsBefore, monthIndex, day);
    if (span !== undefined && span.since <= now.getTime()) return span;
  }
  return undefined;
}

/** Of the year that is given, else of the last that had it. */
export function monthIn(year: number | undefined, monthIndex: number, now: Date): TimeSpan {
  const lately = monthIndex > now.getMonth() ? now.getFullYear() - 1 : now.getFullYear();
  return unitFrom(new Date(year ?? lately, monthIndex, 1), "month");
}

/** Undefined for a month that has not begun: then the number is hardly a year. */
export function monthOfYear(year: string | undefined, monthIndex: number, now: Date): TimeSpan | undefined {
  const span = monthIn(given(year), monthIndex, now);
  return span.since > now.getTime() ? undefined : span;
}

/** The last such weekday up to today; Sunday is 0. */
export function lastWeekday(now: Date, wanted: number): TimeSpan {
  const days = (now.getDay() - wanted + 7) % 7;
  return daysBack(now, days, days);
}

/** The last such weekday before today: on a Friday, last Friday was a week ago. */
export function weekdayBefore(now: Date, wanted: number): TimeSpan {
  return lastWeekday(back(now, 1, "day"), wanted);
}

/** A day of this week or one before; Monday is 0, and weeks end with Sunday. */
export function dayOfWeek(now: Date, weeksBefore: number, fromMonday: number): TimeSpan {
  const today = (now.getDay() + 6) % 7;
  const days = today - fromMonday + 7 * weeksBefore;
  return daysBack(now, days, days);
}

/** Saturday and Sunday: with 0 of the last weekend that has begun, with 1 of the last that was over before today. */
export function weekend(now: Date, before: number): TimeSpan {
  const last = before === 0 ? now : back(new Date(weekdayBefore(now, 0).since), before - 1, "week");
  const { since } = lastWeekday(last, 6);
  return { since, until: endOfDay(back(new Date(since), -1, "day")) };
}

export function daysBack(now: Date, from: number, to: number): TimeSpan {
  return { since: startOfDay(back(now, from, "day")), until: endOfDay(back(now, to, "day")) };
}

/** The span of phrases such as "two weeks ago", which is wider the larger the unit is. */
export function around(now: Date, many: number, of: string | undefined): TimeSpan {
  const middle = back(now, many, of);
  const slack = { hour: 0, day: 0, week: 3, month: 15, year: 180 }[of ?? ""] ?? 0;
  return daysAround(middle, slack);
}

/** The day of a moment, and as many before and after it. */
export function daysAround(middle: Date, days: number): TimeSpan {
  return { since: startOfDay(back(middle, days, "day")), until: endOfDay(back(middle, -days, "day")) };
}

export function calendarUnit(now: Date, before: number, of: string | undefined): TimeSpan {
  const then = back(now, before, of);
  if (of === "week") then.setDate(then.getDate() - ((then.getDay() + 6) % 7));
  else if (of === "month") then.setDate(1);
  else then.setMonth(0, 1);
  return unitFrom(then, of);
}

function unitFrom(start: Date, of: string | undefined): TimeSpan {
  return { since: startOfDay(start), until: startOfDay(back(start, -1, of)) - 1 };
}

export function back(from: Date, many: number, of: string | undefined): Date {
  const then = new Date(from);
  switch (of) {
    case "minute":
      then.setTime(then.getTime() - many * minuteMs);
      break;
    case "hour":
      // Not by setHours(): where the clock is set forward or back for the summer, an hour would have 0 or 120 minutes.
      then.setTime(then.getTime() - many * hourMs);
      break;
    case "week":
      then.setDate(then.getDate() - 7 * many);
      break;
    case "month":
      return monthsBack(from, many);
    case "year":
      return monthsBack(from, 12 * many);
    default:
      then.setDate(then.getDate() - many);
  }
  return then;
}

/** The same day some months earlier, or the last day of that month if it is shorter. */
function monthsBack(from: Date, many: number): Date {
  const then = new Date(from);
  then.setMonth(then.getMonth() - many);
  // Date turns a day that the month does not have into one of the next month.
  if (then.getDate() !== from.getDate()) then.setDate(0);
  return then;
}

function startOfDay(date: Date): number {
  return new Date(date).setHours(0, 0, 0, 0);
}

function endOfDay(date: Date): number {
  // Where the clock is set back at midnight, 23:59 comes twice; the next day comes once.
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() - 1;
}

/** The year that a query names; undefined when it names none. */
export function given(year: string | undefined): number | undefined {
  return year === undefined ? undefined : Number(year);
}

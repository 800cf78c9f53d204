import type { TimeSpan } from "../../index/scope.ts";

/* Days, weeks, months and years of this machine's clock, as those who ask mean them. */

/** Words that mean a time. */
export interface Phrase {
  readonly pattern: RegExp;
  /** Undefined where the numbers make no date. */
  readonly span: (found: readonly (string | undefined)[], now: Date) => TimeSpan | undefined;
  /** A date may stand in a text too. */
  readonly isText?: true;
}

export function dayOf(year: number, monthIndex: number, day: number): TimeSpan | undefined {
  const start = new Date(year, monthIndex, day);
  if (start.getMonth() !== monthIndex || start.getDate() !== day) return undefined;
  return { since: start.getTime(), until: endOfDay(start) };
}

/** Of the year that is given, else of the last that had it. */
export function dayIn(
  year: number | undefined,
  monthIndex: number,
  day: number,
  now: Date,
): TimeSpan | undefined {
  if (year !== undefined) return dayOf(year, monthIndex, day);
  const span = dayOf(now.getFullYear(), monthIndex, day);
  return span !== undefined && span.since > now.getTime()
    ? dayOf(now.getFullYear() - 1, monthIndex, day)
    : span;
}

/** Of the year that is given, else of the last that had it. */
export function monthIn(year: number | undefined, monthIndex: number, now: Date): TimeSpan {
  const lately = monthIndex > now.getMonth() ? now.getFullYear() - 1 : now.getFullYear();
  return unitFrom(new Date(year ?? lately, monthIndex, 1), "month");
}

/** The weekday before today, or today; Sunday is 0. */
export function lastWeekday(now: Date, wanted: number): TimeSpan {
  const days = (now.getDay() - wanted + 7) % 7;
  return daysBack(now, days, days);
}

export function daysBack(now: Date, from: number, to: number): TimeSpan {
  return { since: startOfDay(back(now, from, "day")), until: endOfDay(back(now, to, "day")) };
}

/** "Two weeks ago" is more of a span than "two days ago". */
export function around(now: Date, many: number, of: string | undefined): TimeSpan {
  const middle = back(now, many, of);
  const slack = { hour: 0, day: 0, week: 3, month: 15, year: 180 }[of ?? ""] ?? 0;
  return { since: startOfDay(back(middle, slack, "day")), until: endOfDay(back(middle, -slack, "day")) };
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
    case "hour":
      then.setHours(then.getHours() - many);
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

/** The same day of that month; its last where it has none such. */
function monthsBack(from: Date, many: number): Date {
  const then = new Date(from);
  then.setMonth(then.getMonth() - many);
  // A day that the month does not have is taken for one of the next.
  if (then.getDate() !== from.getDate()) then.setDate(0);
  return then;
}

function startOfDay(date: Date): number {
  return new Date(date).setHours(0, 0, 0, 0);
}

function endOfDay(date: Date): number {
  return new Date(date).setHours(23, 59, 59, 999);
}

/** A year that a query names, or not. */
export function given(year: string | undefined): number | undefined {
  return year === undefined ? undefined : Number(year);
}

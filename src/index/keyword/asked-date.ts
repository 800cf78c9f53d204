import type { CalendarDate } from "../../text/date-spellings.ts";
import type { TimeSpan } from "../scope.ts";

const anyYear = /(?<!\d)(?:19|20)\d{2}(?!\d)/;

/** The day or month that a query names; undefined if its span of time, in local time, is neither. */
export function dateOf({ since, until }: TimeSpan, query: string): CalendarDate | undefined {
  const [first, end] = [new Date(since), new Date(until + 1)];
  const [year, month, day] = [first.getFullYear(), first.getMonth(), first.getDate()];
  const named = anyYear.test(query) ? year : undefined;
  if (isStart(end, year, month, day + 1)) return { year: named, month: month + 1, day };
  const isMonth = day === 1 && isStart(end, year, month + 1, 1);
  return isMonth && named !== undefined ? { year, month: month + 1, day: undefined } : undefined;
}

function isStart(date: Date, year: number, month: number, day: number): boolean {
  return date.getTime() === new Date(year, month, day).getTime();
}

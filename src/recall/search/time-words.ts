import { indexTokens } from "../../text/tokens.ts";

/*
 * What a query says about time: "yesterday", "last week", "3 days ago", "on Monday", "in March", "2026-03-02" (also as
 * 2.3.2026 and 2026年3月2日), and "before" or "since" any of these. Days are those of this machine's clock. It is a hint
 * and not a filter: people misremember, so what was found outside of the span only ranks lower.
 */

export interface TimeMeant {
  /** Milliseconds; the first and the last that are meant. */
  readonly since: number;
  readonly until: number;
  /**
   * The query without the words that stand for nothing but the time, such as "yesterday": `""` when there are no others.
   * Dates stay in it, alone where they are all that it asks for.
   */
  readonly rest: string;
  /** The query asks for nothing but what happened then. */
  readonly isAll: boolean;
}

interface Span {
  readonly since: number;
  readonly until: number;
}

interface Phrase {
  readonly pattern: RegExp;
  /** Undefined where the numbers make no date. */
  readonly span: (found: readonly (string | undefined)[], now: Date) => Span | undefined;
  /** A date may stand in a text too. */
  readonly isText?: true;
}

const months = "january february march april may june july august september october november december".split(
  " ",
);
const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const numbers = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const month = `(${months.map((name) => `${name}|${name.slice(0, 3)}`).join("|")})\\.?`;
const count = `(\\d{1,3}|an?|${numbers.join("|")}|a couple of|a few)`;
const unit = "(hour|day|week|month|year)s?";

/** What only hints at a time is no part of a name, such as `today.ts`, `least-recently-used` or `yesterday()`. */
const begins = "(?<![\\w/\\\\-]|\\w\\.)";
const ends = "(?![\\w(/\\\\-]|\\.\\w)";

/** A pattern that stands for itself among other words. */
function alone(phrase: string): RegExp {
  return new RegExp(`${begins}(?:${phrase})${ends}`);
}

/** One of these is in every phrase below: most queries have none, and then no phrase needs to be looked for. */
const anyTimeWord = new RegExp(
  `\\d|day|night|ago|last|past|this|previous|recently|lately|${months.map((name) => name.slice(0, 3)).join("|")}`,
);

/** The first that is found counts. */
const phrases: readonly Phrase[] = [
  {
    pattern: /\b(\d{4})-(\d{2})-(\d{2})\b/,
    span: ([, year, monthNumber, day]) => dayOf(Number(year), Number(monthNumber) - 1, Number(day)),
    isText: true,
  },
  {
    // Chinese, Japanese, Korean.
    pattern: /(?<!\d)(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]/,
    span: ([, year, monthNumber, day]) => dayOf(Number(year), Number(monthNumber) - 1, Number(day)),
    isText: true,
  },
  {
    // German, Russian, Turkish: no language that has dots there begins with the month.
    pattern: /(?<![\w.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\w|\.\w)/,
    span: ([, day, monthNumber, year]) => dayOf(Number(year), Number(monthNumber) - 1, Number(day)),
    isText: true,
  },
  {
    pattern: new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}(?:,? (\\d{4}))?\\b`),
    span: ([, day, name, year], now) => namedDay(Number(day), name, year, now),
    isText: true,
  },
  {
    pattern: new RegExp(`\\b${month} (\\d{1,2})(?:st|nd|rd|th)?(?:,? ?(\\d{4}))?\\b`),
    span: ([, name, day, year], now) => namedDay(Number(day), name, year, now),
    isText: true,
  },
  {
    pattern: new RegExp(
      `\\b(?:in|during|of|last|this|since|before|after|until) (?:early |late |mid-?)?${month}(?: (\\d{4}))?\\b`,
    ),
    span: ([, name, year], now) => namedMonth(name, year, now),
    isText: true,
  },
  { pattern: alone("the day before yesterday"), span: (_, now) => daysBack(now, 2, 2) },
  { pattern: alone("yesterday|last night"), span: (_, now) => daysBack(now, 1, 1) },
  { pattern: alone("today|this (?:morning|afternoon|evening)"), span: (_, now) => daysBack(now, 0, 0) },
  {
    pattern: alone(`${count} ${unit} ago`),
    span: ([, many, of], now) => around(now, numberOf(many), of),
  },
  {
    pattern: alone(`(?:in |over |during |within )?(?:the )?(?:last|past) ${count} ${unit}`),
    span: ([, many, of], now) => ({ since: back(now, numberOf(many), of).getTime(), until: endOfDay(now) }),
  },
  {
    pattern: alone("(?:in |over |during )?(?:the )?(this|last|past|previous) (week|month|year)"),
    span: ([, which, of], now) => calendarUnit(now, which === "this" ? 0 : 1, of),
  },
  {
    pattern: alone(`(?:on|last|this|since|before|after|until) (${weekdays.join("|")})`),
    span: ([, name], now) => weekday(now, name),
  },
  { pattern: alone("recently|lately|the other day"), span: (_, now) => daysBack(now, 7, 0) },
];

/** Beside a time they only ask what was. */
const sayNothing =
  /\b(?:happen(?:s|ed|ing)?|work(?:ed|ing)?|done|went|going|changed?|changes|activit(?:y|ies)|events?|everything|anything|history|progress|summar(?:y|i[sz]e)|recap|show|list|tell)\b/gi;

/** The time that a query means, if it says any. */
export function timeMeant(query: string, now: number): TimeMeant | undefined {
  // Patterns that ignore case take five milliseconds to compile. In a query of other letters each keeps its place.
  const lower = query.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (!anyTimeWord.test(lower)) return undefined;
  for (const { pattern, span, isText } of phrases) {
    const found = pattern.exec(lower);
    const meant = found === null ? undefined : span(found, new Date(now));
    if (found === null || meant === undefined) continue;
    const before = lower.slice(0, found.index);
    const rest = `${query.slice(0, found.index)} ${query.slice(found.index + found[0].length)}`;
    const isAll = indexTokens(rest.replace(sayNothing, " ")).length === 0;
    // What says "yesterday" was seldom said of the same day; what says a date speaks of it.
    const date = query.slice(found.index, found.index + found[0].length);
    const words = isAll ? (isText === true ? date : "") : isText === true ? query : rest;
    return { ...directed(meant, before, found[0], now), rest: words, isAll };
  }
  return undefined;
}

/** "Since Monday" begins there, "before Monday" ends there. */
function directed({ since, until }: Span, before: string, phrase: string, now: number): Span {
  const [, word] =
    /\b(since|after|before|until)\s+(?:the\s+)?$/.exec(before) ??
    /^(since|after|before|until)\b/.exec(phrase) ??
    [];
  switch (word) {
    case "since":
      return { since, until: now };
    case "after":
      return { since: until, until: now };
    case "before":
    case "until":
      return { since: 0, until: since };
    default:
      return { since, until };
  }
}

function dayOf(year: number, monthIndex: number, day: number): Span | undefined {
  const start = new Date(year, monthIndex, day);
  if (start.getMonth() !== monthIndex || start.getDate() !== day) return undefined;
  return { since: start.getTime(), until: endOfDay(start) };
}

function namedDay(
  day: number,
  name: string | undefined,
  year: string | undefined,
  now: Date,
): Span | undefined {
  const monthIndex = monthOf(name);
  if (year !== undefined) return dayOf(Number(year), monthIndex, day);
  const span = dayOf(now.getFullYear(), monthIndex, day);
  return span !== undefined && span.since > now.getTime()
    ? dayOf(now.getFullYear() - 1, monthIndex, day)
    : span;
}

function namedMonth(name: string | undefined, year: string | undefined, now: Date): Span {
  const monthIndex = monthOf(name);
  const lately = monthIndex > now.getMonth() ? now.getFullYear() - 1 : now.getFullYear();
  return unitFrom(new Date(year === undefined ? lately : Number(year), monthIndex, 1), "month");
}

function monthOf(name: string | undefined): number {
  return months.findIndex((full) => full.startsWith((name ?? "").slice(0, 3)));
}

function daysBack(now: Date, from: number, to: number): Span {
  return { since: startOfDay(back(now, from, "day")), until: endOfDay(back(now, to, "day")) };
}

/** "Two weeks ago" is more of a span than "two days ago". */
function around(now: Date, many: number, of: string | undefined): Span {
  const middle = back(now, many, of);
  const slack = { hour: 0, day: 0, week: 3, month: 15, year: 180 }[of ?? ""] ?? 0;
  return { since: startOfDay(back(middle, slack, "day")), until: endOfDay(back(middle, -slack, "day")) };
}

function calendarUnit(now: Date, before: number, of: string | undefined): Span {
  const then = back(now, before, of);
  if (of === "week") then.setDate(then.getDate() - ((then.getDay() + 6) % 7));
  else if (of === "month") then.setDate(1);
  else then.setMonth(0, 1);
  return unitFrom(then, of);
}

/** The weekday before today, or today. */
function weekday(now: Date, name: string | undefined): Span {
  const wanted = weekdays.indexOf(name ?? "");
  const days = (now.getDay() - wanted + 7) % 7;
  return daysBack(now, days, days);
}

function unitFrom(start: Date, of: string | undefined): Span {
  return { since: startOfDay(start), until: startOfDay(back(start, -1, of)) - 1 };
}

function back(from: Date, many: number, of: string | undefined): Date {
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

function numberOf(words: string | undefined): number {
  const text = words ?? "";
  if (/^an?$/.test(text)) return 1;
  if (text === "a couple of") return 2;
  if (text === "a few") return 3;
  const spelt = numbers.indexOf(text);
  return spelt < 0 ? Number(text) : spelt + 1;
}

function startOfDay(date: Date): number {
  return new Date(date).setHours(0, 0, 0, 0);
}

function endOfDay(date: Date): number {
  return new Date(date).setHours(23, 59, 59, 999);
}

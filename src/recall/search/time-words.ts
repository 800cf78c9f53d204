import type { TimeSpan } from "../../index/scope.ts";
import { latinLanguage } from "../../text/query-language.ts";
import { indexTokens } from "../../text/tokens.ts";
import { type AskedKind, kindAsked } from "./asked-kinds.ts";
import {
  chineseEnding,
  chinesePhrases,
  chineseRanges,
  chineseSigns,
  sayNothingInChinese,
} from "./chinese-time-words.ts";
import {
  germanDate,
  germanDay,
  germanDirectionBefore,
  germanDirectionIn,
  germanMonthOfYear,
  germanPhrases,
  germanTimeWord,
  sayNothingInGerman,
} from "./german-time-words.ts";
import { aroundHalves, lastHalves } from "./half-units.ts";
import { type Direction, directionTold, endingTold, languagesOfTimes } from "./time-languages.ts";
import { type FindEnd, rangePhrases } from "./time-ranges.ts";
import {
  around,
  back,
  calendarUnit,
  dayIn,
  dayOf,
  daysBack,
  given,
  lastWeekday,
  monthIn,
  monthOfYear,
  type Phrase,
  weekdayBefore,
  weekend,
} from "./time-spans.ts";

/*
 * What a query says about time: "yesterday", "last week", "3 days ago", "on Monday", "at the weekend", "in March",
 * "March 2026", "2026-03-02" (also as 2.3.2026 and 2026年3月2日), "before" or "since" any of these, and "from" one "to"
 * another; in German and Chinese too ("letzte Woche", "3天前"), and in other languages (`time-languages.ts`). Days are in
 * local time. The time is a hint and not a filter: people misremember, so results outside of the span only rank lower.
 */

export interface TimeMeant extends TimeSpan {
  /**
   * The query without words that only mean a time, such as "yesterday"; `""` when there are no others. Dates and
   * weekends stay in it; a query for nothing but a date becomes that date alone.
   */
  readonly rest: string;
  /** Whether the query only asks what happened in that time. */
  readonly isAll: boolean;
  /** The kind of event that is all that it asks for. */
  readonly asks: AskedKind | undefined;
}

const months = "january february march april may june july august september october november december".split(
  " ",
);
const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const numbers =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const month = `(${months.map((name) => `${name}|${name.slice(0, 3)}`).join("|")})\\.?`;
/** Words that show, after a time, that it is no part of a name such as "the weekend rota". */
const afterTime = "(?:about|after|and|at|before|by|did|for|from|in|is|on|or|the|to|was|we|were|with)\\b";
/** The same where `may` could be the verb, as in "step 3 may fail": only before words that do not follow the verb. */
const surelyMonth = `(?!may (?!${afterTime})[a-z])${month}`;
export const count = `(\\d{1,3}|an?|${numbers.join("|")}|(?:a )?couple of|(?:a )?few)`;
const unit = "(minute|hour|day|week|month|year)s?";
const halfUnit = "half(?: an?)?[ -](hour|day|week|month|year)";
/** By its first letter, what an abbreviated unit stands for. */
const abbreviated: Readonly<Record<string, string>> = { h: "hour", d: "day", m: "minute" };
const partOfDay = "(?: (?:morning|afternoon|evening|night))?";

/** Boundaries that exclude parts of names, such as `today.ts`, `least-recently-used` or `yesterday()`. */
const begins = "(?<![\\w/\\\\-]|\\w\\.)";
const ends = "(?![\\w(/\\\\-]|\\.\\w)";

/** The pattern of a phrase between these boundaries. */
function alone(phrase: string): RegExp {
  return new RegExp(`${begins}(?:${phrase})${ends}`);
}

/** Every phrase below contains one of these. Most queries contain none, and then no phrase has to be tried. */
const anyTimeWord = new RegExp(
  `[\\d${chineseSigns}]|day|weekend|night|ago|last|past|this|previous|recently|lately|${months.map((name) => name.slice(0, 3)).join("|")}|${germanTimeWord}`,
);

const isoDate = "\\d{4}-\\d{2}-\\d{2}";
const dateInWords = `${month}(?: \\d{1,2}(?:st|nd|rd|th)?)?(?:,? \\d{4})?|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}(?: \\d{4})?`;
const dayInWords = `yesterday|today|(?:last )?(?:${weekdays.join("|")})|${count} ${unit} ago`;
const englishRange = (first: string, last: string) =>
  `(?:between|from) (?:the )?${first} (?:and|to|until|till|through) (?:the )?${last}`;
const germanRange = (first: string, last: string) =>
  `(?:zwischen|vo[nm]) ${first} (?:und|bis(?: zum)?) ${last}`;
const germanRanges = rangePhrases(
  { form: germanRange, dates: `${isoDate}|${germanDate}`, days: germanDay, alone },
  endOfRange,
);

/** The first phrase that matches counts. */
const phrases: readonly Phrase[] = [
  ...rangePhrases(
    { form: englishRange, dates: `${isoDate}|${dateInWords}`, days: dayInWords, alone },
    endOfRange,
  ),
  ...germanRanges,
  ...rangePhrases(chineseRanges, endOfRange),
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
    // As in German, Russian or Turkish: dates with dots never begin with the month.
    pattern: /(?<![\w.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\w|\.\w)/,
    span: ([, day, monthNumber, year]) => dayOf(Number(year), Number(monthNumber) - 1, Number(day)),
    isText: true,
  },
  {
    pattern: new RegExp(
      `\\b(\\d{1,2})(?:(?:(?:st|nd|rd|th)(?: of)?| of) ${month}| ${surelyMonth})(?:,? (\\d{4}))?\\b`,
    ),
    span: ([, day, name, other, year], now) => dayIn(given(year), monthOf(name ?? other), Number(day), now),
    isText: true,
  },
  {
    pattern: new RegExp(`\\b${month} (\\d{1,2})(?:st|nd|rd|th)?(?:,? ?(\\d{4}))?\\b`),
    span: ([, name, day, year], now) => dayIn(given(year), monthOf(name), Number(day), now),
    isText: true,
  },
  {
    pattern: new RegExp(
      `\\b(?:(?:in|during|of|since|before|after|until) (?:early |late |mid-?)?${month}|(?:last|this) ${surelyMonth})(?: (\\d{4}))?\\b`,
    ),
    span: ([, name, other, year], now) => monthIn(given(year), monthOf(name ?? other), now),
    isText: true,
  },
  { pattern: alone("(?:the )?day before yesterday"), span: (_, now) => daysBack(now, 2, 2) },
  { pattern: alone(`yesterday${partOfDay}|last night`), span: (_, now) => daysBack(now, 1, 1) },
  {
    pattern: alone(`${count} ${unit} ago today`),
    span: ([, many, of], now) => daysBack(back(now, numberOf(many), of), 0, 0),
  },
  { pattern: alone("today|this (?:morning|afternoon|evening)"), span: (_, now) => daysBack(now, 0, 0) },
  {
    pattern: alone(`${count} (?:and a half ${unit}|${unit} and a half) ago|(?:an? )?${halfUnit} ago`),
    span: ([, many, of, other, half], now) =>
      half === undefined
        ? aroundHalves(now, 2 * numberOf(many) + 1, of ?? other ?? "")
        : aroundHalves(now, 1, half),
  },
  {
    pattern: alone(`${count} ${unit} ago`),
    span: ([, many, of], now) => around(now, numberOf(many), of),
  },
  { pattern: alone("a fortnight ago"), span: (_, now) => around(now, 2, "week") },
  {
    pattern: alone(`(?:in |over |during |within )?(?:the )?(?:last|past) ${halfUnit}`),
    span: ([, of = ""], now) => lastHalves(now, 1, of),
  },
  {
    pattern: alone(`(?:in |over |during |within )?(?:the )?(?:last|past) ${count} ${unit}`),
    span: ([, many, of], now) => ({
      since: back(now, numberOf(many), of).getTime(),
      until: daysBack(now, 0, 0).until,
    }),
  },
  {
    pattern: alone("(?:in |over |during |within )?(?:the )?(?:last|past) (\\d{1,3}) ?(h|hrs?|d|min)"),
    span: ([, many, of = ""], now) => ({
      since: back(now, Number(many), abbreviated[of[0] ?? ""]).getTime(),
      until: daysBack(now, 0, 0).until,
    }),
  },
  {
    pattern: alone("(?:in |over |during |within )?(?:the )?(?:last|past) hour"),
    span: (_, now) => ({ since: back(now, 1, "hour").getTime(), until: daysBack(now, 0, 0).until }),
  },
  {
    pattern: alone("(?:in |over |during )?(?:the )?(this|last|past|previous) (week|month|year)"),
    span: ([, which, of], now) => calendarUnit(now, which === "this" ? 0 : 1, of),
  },
  {
    pattern: alone(`(on|last|this|since|before|after|until) (${weekdays.join("|")})${partOfDay}`),
    span: ([, which, name], now) => {
      const wanted = weekdays.indexOf(name ?? "");
      return which === "last" ? weekdayBefore(now, wanted) : lastWeekday(now, wanted);
    },
  },
  {
    pattern: alone(
      `(?:(?:on|over|during) )?(?:the )?(this|last|past|previous) weekend|(?:on|at|over|during|since|before|after|until) the weekend(?! (?!${afterTime})[a-z])`,
    ),
    span: ([, which = "this"], now) => weekend(now, which === "this" ? 0 : 1),
    mayBeContent: true,
  },
  { pattern: alone("recently|lately|the other day"), span: (_, now) => daysBack(now, 7, 0) },
  ...germanPhrases,
  ...chinesePhrases,
  // Last, because these are parts of phrases above.
  {
    pattern: alone(`${month},? ((?:19|20)\\d{2})`),
    span: ([, name, year], now) => monthOfYear(year, monthOf(name), now),
    isText: true,
  },
  germanMonthOfYear,
];

const isGerman: ReadonlySet<RegExp> = new Set(
  [...germanRanges, ...germanPhrases, germanMonthOfYear].map(({ pattern }) => pattern),
);

const directions: ReadonlyMap<string, Direction> = new Map([
  ["since", "since"],
  ["seit", "since"],
  ["after", "after"],
  ["nach", "after"],
  ["before", "before"],
  ["until", "before"],
  ["vor", "before"],
  ["bis", "before"],
]);

/** Words that, beside a time, only ask what happened. */
const sayNothing =
  /\b(?:happen(?:s|ed|ing)?|work(?:ed|ing)?|done|went|going|changed?|changes|activit(?:y|ies)|events?|everything|anything|history|progress|summar(?:y|i[sz]e)|recap|show|list|tell|so far)\b/gi;

/** The time that a query means; undefined when it names none. */
export function timeMeant(query: string, now: number): TimeMeant | undefined {
  // Lower-cased here, because compiling patterns that ignore case takes 5 ms. Only letters that keep every index.
  const lower = query.replace(/[A-ZÀ-ÖØ-ÞЀ-Я]+/g, (letters) => letters.toLowerCase());
  const languages = languagesOfTimes(lower);
  if (languages.length === 0 && !anyTimeWord.test(lower)) return undefined;
  const tried = [
    ...languages.flatMap((language) => [...rangePhrases(language.ranges, endOfRange), ...language.phrases]),
    ...phrases,
  ];
  for (const { pattern, span, isText = false, mayBeContent = false, onlyIn } of tried) {
    const found = pattern.exec(lower);
    const meant = found === null ? undefined : span(found, new Date(now));
    if (found === null || meant === undefined) continue;
    if (onlyIn !== undefined && latinLanguage(query)?.language !== onlyIn) continue;
    const before = lower.slice(0, found.index);
    const after = lower.slice(found.index + found[0].length);
    const { word, at } = directionOf(before, found[0], after);
    const lead = query.slice(0, at);
    const rest = `${lead} ${query.slice(found.index + found[0].length)}`;
    // Only beside a German time: `die` and `was` are English words, too.
    const saying = [
      sayNothing,
      sayNothingInChinese,
      ...(isGerman.has(pattern) ? [sayNothingInGerman] : []),
      ...languages.map((language) => language.sayNothing),
    ];
    const asked = saying.reduce((told, words) => told.replace(words, " "), rest);
    const isAll = indexTokens(asked).length === 0;
    const asks = isAll ? undefined : kindAsked(asked);
    // A text with the word "yesterday" rarely means the same day, so the word is not searched for; a date is.
    const alone = isText ? query.slice(found.index, found.index + found[0].length) : "";
    const amongOthers = isText || mayBeContent ? `${lead}${query.slice(found.index)}` : rest;
    return { ...directed(meant, word, now), rest: isAll ? alone : amongOthers, isAll, asks };
  }
  return undefined;
}

/** How words beside a time change it, and where they begin if they are before it; otherwise where the time begins. */
function directionOf(
  before: string,
  phrase: string,
  after: string,
): { word: Direction | undefined; at: number } {
  const english = /\b(since|after|before|until)\s+(?:the\s+)?$/.exec(before) ?? germanDirectionBefore(before);
  if (english !== null) return { word: directions.get(english[1] ?? ""), at: english.index };
  const elsewhere = directionTold(before);
  if (elsewhere !== undefined) return elsewhere;
  const [, within] = /^(since|after|before|until)\b/.exec(phrase) ?? germanDirectionIn(phrase) ?? [];
  return {
    word: directions.get(within ?? "") ?? chineseEnding(after) ?? endingTold(after),
    at: before.length,
  };
}

/** "Since Monday" begins with that day, "before Monday" ends before it. */
function directed({ since, until }: TimeSpan, word: Direction | undefined, now: number): TimeSpan {
  switch (word) {
    case "since":
      return { since, until: now };
    case "after":
      return { since: until, until: now };
    case "before":
      return { since: 0, until: since };
    case undefined:
      return { since, until };
  }
}

/** With one of these, the name of a weekday or month means a time. */
export const prepositions = ["on", "in", "am", "im", "en", "el", "le", "в"];

function endOfRange(name: string, now: Date): ReturnType<FindEnd> {
  const whole = timeMeant(name, now.getTime());
  if (whole !== undefined) return { ...whole, isRecurring: false };
  const [spelt] = prepositions.flatMap((word) => timeMeant(`${word} ${name}`, now.getTime()) ?? []);
  return spelt === undefined ? undefined : { ...spelt, isRecurring: true };
}

function monthOf(name: string | undefined): number {
  return months.findIndex((full) => full.startsWith((name ?? "").slice(0, 3)));
}

/** The number that a text matching `count` names. */
export function numberOf(words: string | undefined): number {
  const text = words ?? "";
  if (/^an?$/.test(text)) return 1;
  if (text.endsWith("couple of")) return 2;
  if (text.endsWith("few")) return 3;
  const spelt = numbers.indexOf(text);
  return spelt < 0 ? Number(text) : spelt + 1;
}

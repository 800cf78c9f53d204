import type { TimeSpan } from "../../index/scope.ts";
import { aroundHalves, lastHalves } from "./half-units.ts";
import type { RangeWords } from "./time-ranges.ts";
import {
  around,
  back,
  calendarUnit,
  dayIn,
  dayOfWeek,
  daysBack,
  given,
  lastWeekday,
  monthIn,
  type Phrase,
  weekend,
} from "./time-spans.ts";

/*
 * Times in Chinese, in both scripts: 昨天, 上週, 三天前, 11月24日, 上週三. As no spaces separate words, the patterns exclude
 * longer words that contain these characters: 線上週報 is not "last week", 每週一次 not "Monday", 最近鄰 not "recently".
 */

/** From one to nine. */
export const chineseNumerals = "一二三四五六七八九";
/** A number that is neither part of a longer one nor an ordinal. */
const number = `(?<![\\d第十${chineseNumerals}])(\\d{1,3}|[兩两十${chineseNumerals}]{1,3}|[幾几])`;
const unit = "(天|日|[週周]|年|[個个]?(?:小[時时]|星期|[禮礼]拜)|[個个]月|分[鐘钟])";
const week = "(?:[週周]|星期|[禮礼]拜)";
/** Half a year, but neither 上半年, its first half, nor 個半月, half a month more. */
const half = `(?<![上下前後后大小個个年天週周\\d第十${chineseNumerals}])半[個个]?(天|日|[週周]|年|月|小[時时]|星期|[禮礼]拜|分[鐘钟])`;
const andHalf = `${number} ?(?:[個个]半(月|小[時时]|星期|[禮礼]拜)|(天|[週周]|年)半)`;
/** 這 is this one, 上 the last, 上上 the one before that. */
const which = "(上{1,2}|[這这本])";
const noBlankBefore = "(?<![線线晚早以之加同])";

/** Every phrase below contains one of these characters or a digit. For use in a character class. */
export const chineseSigns = "天晚早期拜月年前週周近";

const date = `(?:\\d{4}年 ?)?(?:\\d{1,2}|[十${chineseNumerals}]{1,2})月 ?(?:\\d{1,2}|[十${chineseNumerals}]{1,3})[日號号]`;
const dayOfWeekName = `(?:${which}[個个]?)?${week}[${chineseNumerals.slice(0, 6)}日天]`;

/** 从周一到周三, 3月3日至3月5日. */
export const chineseRanges: RangeWords = {
  form: (first, last) => `(?:[从從由自在])?${first}(?:到|至|~|和|与|與)${last}(?:之?[间間])?`,
  dates: date,
  days: `${dayOfWeekName}|[昨今前]天`,
  recurring: new RegExp(`^${week}`),
  week: new RegExp(`^${which}[個个]?`),
  alone: (phrase) => new RegExp(`(?<![每\\d])(?:${phrase})`),
};

export const chinesePhrases: readonly Phrase[] = [
  {
    pattern: new RegExp(`(?:(\\d{4})年 ?)?${number}月 ?${number}[日號号]`),
    span: ([, year, month, day], now) =>
      isMonth(chineseNumber(month))
        ? dayIn(given(year), chineseNumber(month) - 1, chineseNumber(day), now)
        : undefined,
    isText: true,
  },
  { pattern: /大前天/, span: (_, now) => daysBack(now, 3, 3) },
  {
    pattern: new RegExp(`${half}[之以]?前`),
    span: ([, of], now) => aroundHalves(now, 1, unitOf(of)),
  },
  {
    pattern: new RegExp(`${andHalf}[之以]?前`),
    span: ([, many, of, other], now) =>
      counted(many, (count) => aroundHalves(now, 2 * count + 1, unitOf(of ?? other))),
  },
  {
    pattern: new RegExp(`(?:[過过]去|最近|[這这近])的?${half}`),
    span: ([, of], now) => lastHalves(now, 1, unitOf(of)),
  },
  {
    pattern: new RegExp(`${number} ?${unit}[之以]?前`),
    span: ([, many, of], now) => counted(many, (count) => around(now, count, unitOf(of))),
  },
  {
    pattern: new RegExp(`(?:[過过]去|最近|[這这近])的? ?${number} ?${unit}(?:以?[來来内內]|[裡里])?`),
    span: ([, many, of], now) =>
      counted(many, (count) => ({
        since: back(now, count, unitOf(of)).getTime(),
        until: daysBack(now, 0, 0).until,
      })),
  },
  { pattern: /前天/, span: (_, now) => daysBack(now, 2, 2) },
  { pattern: /昨[天晚]/, span: (_, now) => daysBack(now, 1, 1) },
  { pattern: /今[天早晚]/, span: (_, now) => daysBack(now, 0, 0) },
  {
    pattern: new RegExp(
      `(?<![每兩两十\\d線线下個个${chineseNumerals}])${which}?(?:一?[個个])?${week}([${chineseNumerals.slice(0, 6)}日天])(?![次個个天誌志])`,
    ),
    span: ([, before, day], now) => weekday(now, before, day),
  },
  {
    pattern: new RegExp(
      `${noBlankBefore}${which}(?:一?[個个])?([週周月]|星期|[禮礼]拜)(?![末報报刊期邊边圍围遭轉转知租])`,
    ),
    span: ([, before, of], now) => calendarUnit(now, unitsBack(before), unitOf(of)),
  },
  {
    pattern: new RegExp(`${noBlankBefore}${which}(?:一?[個个])?[週周]末`),
    span: ([, before], now) => weekend(now, unitsBack(before)),
    mayBeContent: true,
  },
  {
    pattern: /([今去])年/,
    span: ([, sign], now) => calendarUnit(now, sign === "去" ? 1 : 0, "year"),
  },
  {
    pattern: new RegExp(`(?:(\\d{4})年 ?)?(?<![個个])${number}月份?(?![\\d十${chineseNumerals}])`),
    span: ([, year, month], now) =>
      isMonth(chineseNumber(month)) ? monthIn(given(year), chineseNumber(month) - 1, now) : undefined,
    isText: true,
  },
  {
    pattern: /最近(?![鄰邻似點点最])|近[來来期]|[這这前][幾几]天|前[陣阵]子/,
    span: (_, now) => daysBack(now, 7, 0),
  },
];

/** Words that, beside a time, only ask what happened. */
export const sayNothingInChinese =
  /早上|[上中下]午|傍晚|晚上|我們|我们|大家|發生|发生|[做幹干改]|變更|变更|什麼|什么|哪些|事情|工作|[進进][度展]|[歷历]史|[紀記记][錄录]|[總总][結结]|摘要|列出|[顯显]示|告[訴诉]|之[前後后]|以[前後后來来]|[我你有的了過过嗎吗呢都在是事]/g;

/** How a suffix changes a time: 昨天之前 ends before it, 上週以來 begins with it. */
export function chineseEnding(after: string): "before" | "after" | "since" | undefined {
  if (/^[之以]前/.test(after)) return "before";
  if (/^[之以][後后]/.test(after)) return "after";
  return /^(?:以[來来]|起)/.test(after) ? "since" : undefined;
}

/** A weekday: of last week if the phrase says so. */
function weekday(now: Date, before: string | undefined, day: string | undefined): TimeSpan {
  const place = chineseNumerals.indexOf(day ?? "");
  if (before === undefined) return lastWeekday(now, place + 1);
  return dayOfWeek(now, unitsBack(before), place < 0 ? 6 : place);
}

/** How many weeks, weekends or months before this one a sign means. */
function unitsBack(before: string | undefined): number {
  return before?.startsWith("上") === true ? before.length : 0;
}

function unitOf(sign: string | undefined): string {
  if (sign?.endsWith("年")) return "year";
  if (sign?.endsWith("月")) return "month";
  if (/[週周期拜]$/.test(sign ?? "")) return "week";
  if (/[鐘钟]$/.test(sign ?? "")) return "minute";
  return /[時时]$/.test(sign ?? "") ? "hour" : "day";
}

function counted(many: string | undefined, span: (count: number) => TimeSpan): TimeSpan | undefined {
  const count = chineseNumber(many);
  return Number.isNaN(count) ? undefined : span(count);
}

function isMonth(number: number): boolean {
  return number >= 1 && number <= 12;
}

/** The value of a number such as `24`, 二十四 or 兩; 幾 ("a few") is 3. NaN for anything else. */
export function chineseNumber(text: string | undefined): number {
  const signs = (text ?? "").replace(/[兩两]/g, "二");
  if (/^[幾几]$/.test(signs)) return 3;
  if (/^\d+$/.test(signs)) return Number(signs);
  const [, tens, ten, ones] = /^([一二三四五六七八九])?(十)?([一二三四五六七八九])?$/.exec(signs) ?? [];
  const digit = (sign: string | undefined, without: number): number =>
    sign === undefined ? without : chineseNumerals.indexOf(sign) + 1;
  if (ten === undefined) return tens === undefined || ones !== undefined ? Number.NaN : digit(tens, 0);
  return 10 * digit(tens, 1) + digit(ones, 0);
}

import { chineseNumber, chineseNumerals } from "./chinese-time-words.ts";
import { aroundHalves, lastHalves } from "./half-units.ts";
import type { TimeLanguage } from "./time-language.ts";
import { around, back, calendarUnit, dayOfWeek, daysBack, lastWeekday, weekend } from "./time-spans.ts";

/*
 * Times in Japanese: 昨日, 先週, 3日前, 先週の月曜日, 過去3日間. They are tried before those in Chinese, which would find
 * 週日 in 先週日曜日. Dates (3月3日), 去年 and 最近 are the same in both.
 */

const number = `(?<![\\d第十${chineseNumerals}])(\\d{1,3}|[十${chineseNumerals}]{1,3}|数)`;
const unit = "(分|時間|日|週間?|[かヶケカヵ箇]月|年)";
const half = `(?<![\\d上下前後大小月年間個个かヶケカヵ箇第十${chineseNumerals}])半(年|月|日)間?`;
const some = "(?:ほど|くらい|ぐらい)?";
const weekdays = "月火水木金土日";
const ofLastWeek = "先々|先|今";

export const japaneseTimes: TimeLanguage = {
  signs: /[ぁ-んァ-ン昨先今曜]|[分時日週月年]間?前|過去|直近/,
  ranges: {
    form: (first, last) => `${first}から${last}(?:まで|の間)?`,
    dates: "(?:\\d{4}年 ?)?\\d{1,2}月 ?\\d{1,2}日",
    days: `(?:(?:${ofLastWeek})週の?)?[${weekdays}]曜日?|昨日|一昨日|おととい|今日`,
    recurring: /^.曜/,
    week: new RegExp(`^(?:${ofLastWeek})週の?`),
    alone: (phrase) => new RegExp(`(?<![毎\\d])(?:${phrase})`),
  },
  phrases: [
    { pattern: /一昨日|おととい/, span: (_, now) => daysBack(now, 2, 2) },
    { pattern: /昨[日夜晩]/, span: (_, now) => daysBack(now, 1, 1) },
    { pattern: /今[日朝夜晩]|(?<!日)本日/, span: (_, now) => daysBack(now, 0, 0) },
    {
      pattern: new RegExp(`${number} ?${unit}${some}前`),
      span: ([, many, of], now) => around(now, numberOf(many), unitOf(of)),
    },
    {
      pattern: new RegExp(`${half}${some}前`),
      span: ([, of], now) => aroundHalves(now, 1, unitOf(of)),
    },
    {
      pattern: new RegExp(`${number} ?${unit}半${some}前`),
      span: ([, many, of], now) => aroundHalves(now, 2 * numberOf(many) + 1, unitOf(of)),
    },
    {
      pattern: new RegExp(`(?:過去|直近|ここ|この)の?${half}`),
      span: ([, of], now) => lastHalves(now, 1, unitOf(of)),
    },
    {
      pattern: new RegExp(`(?:過去|直近|ここ|この)の? ?${number} ?${unit}間?`),
      span: ([, many, of], now) => ({
        since: back(now, numberOf(many), unitOf(of)).getTime(),
        until: daysBack(now, 0, 0).until,
      }),
    },
    {
      pattern: new RegExp(`(${ofLastWeek})週の?([${weekdays}])曜日?`),
      span: ([, which, day = ""], now) => dayOfWeek(now, unitsBack(which), weekdays.indexOf(day)),
    },
    {
      pattern: new RegExp(`(?<![毎来翌隔]週の?|[毎次第]の?)([${weekdays}])曜日?(?!ごと|毎|始)`),
      span: ([, day = ""], now) => lastWeekday(now, (weekdays.indexOf(day) + 1) % 7),
    },
    {
      pattern: /(先|今|この)週末/,
      span: ([, which], now) => weekend(now, unitsBack(which)),
      mayBeContent: true,
    },
    {
      pattern: new RegExp(`(${ofLastWeek})([週月])`),
      span: ([, which, of], now) => calendarUnit(now, unitsBack(which), unitOf(of)),
    },
    { pattern: /昨年/, span: (_, now) => calendarUnit(now, 1, "year") },
    { pattern: /先日|近頃/, span: (_, now) => daysBack(now, 7, 0) },
  ],
  sayNothing:
    /何|どんな|作業|仕事|変更|進捗|履歴|一覧|まとめ|要約|内容|すべて|全部|教えて|見せて|ください|起き(?:た|ました)|起こ(?:った|りました)|変わ(?:った|りました)|変え(?:た|ました)|や(?:った|りました|って)|し(?:ました|た|て)|い(?:ました|た)|こと|私|たち|から|まで|以降|以前|以来|[をはがのにでとも]|か(?=[。？?\s]|$)/g,
  directionAfter:
    /^(?:(?<since>から|以降|以来)|(?<after>より後|の後(?!半)|のあと)|(?<before>まで|以前|より前|の前(?![半日週月])))/,
};

function unitsBack(which: string | undefined): number {
  return which?.startsWith("先") === true ? which.length : 0;
}

function unitOf(sign = ""): string {
  if (sign === "分") return "minute";
  if (sign === "時間") return "hour";
  if (sign.startsWith("週")) return "week";
  if (sign.endsWith("月")) return "month";
  return sign === "年" ? "year" : "day";
}

function numberOf(text: string | undefined): number {
  return text === "数" ? 3 : chineseNumber(text);
}

import { slavicLetters } from "../../text/slavic-words.ts";
import { aroundHalves, lastHalves } from "./half-units.ts";
import { aloneAmong, spelledNumber, type TimeLanguage } from "./time-language.ts";
import {
  around,
  back,
  calendarUnit,
  dayIn,
  daysBack,
  given,
  lastWeekday,
  monthIn,
  monthOfYear,
  weekdayBefore,
  weekend,
} from "./time-spans.ts";

/* Times in Russian: вчера, на прошлой неделе, 3 дня назад, в марте, 3 марта, в понедельник, за последние три дня. */

const letter = `\\w${slavicLetters}`;
const alone = aloneAmong(letter);

const months = "янв фев мар апр ма июн июл авг сен окт ноя дек".split(" ");
const month =
  "((?:январ|феврал|апрел|июн|июл|сентябр|октябр|ноябр|декабр)[ьяе]|(?:март|август)[ае]?|ма[йяе])";
const ofMonth = "((?:январ|феврал|апрел|июн|июл|сентябр|октябр|ноябр|декабр|ма)я|(?:март|август)а)";
const year = "(?: (\\d{4})(?: год[ау]?)?)?";
const weekdays = "воск поне втор сред четв пятн субб".split(" ");
/** `Среда` is an environment, too. */
const weekday =
  "(воскресень(?:[ея]|ем)|(?:понедельник|вторник|четверг)(?:а|ом)?|пятниц(?:[ауы]|ей)|суббот(?:[ауы]|ой)|сред(?:[ауы]|ой)(?! (?:разработк|исполнени|выполнени|тестировани|сборк|[a-z])))";
const numbers =
  "один|одну два|две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать".split(
    " ",
  );
const count = `(\\d{1,3}|пару|несколько|${numbers.join("|")})`;
const unit = "(минут[уы]?|час(?:а|ов)?|день|дня|дней|недел[юиь]|месяц(?:а|ев)?|года?|лет)";
const halfUnit = "пол(часа|дня|недели|месяца|года)";
const andHalf = `(?:полтор[аы]|${count} с половиной)`;
const before = "(?:позапрошл|прошл|прошедш|предыдущ)(?:[оеи]й|[ое]м|ый|ую|[ое]го|ое)";
const partOfDay = "(?: (?:утром|дн[её]м|вечером|ночью))?";

export const russianTimes: TimeLanguage = {
  signs: /[а-яё]/,
  ranges: {
    form: (first, last) => `(?:со?|между) ${first} (?:по|до|и) ${last}`,
    dates: `\\d{4}-\\d{2}-\\d{2}|\\d{1,2}\\.\\d{1,2}\\.\\d{4}|\\d{1,2} ${ofMonth}${year}|${month}${year}`,
    days: `${weekday}|вчера|позавчера|сегодня`,
    alone,
  },
  phrases: [
    {
      pattern: alone(`(\\d{1,2}) ${ofMonth}${year}`),
      span: ([, day, name, of], now) => dayIn(given(of), monthOf(name), Number(day), now),
      isText: true,
    },
    {
      pattern: alone(`(?:(?:в|за|начале|середине|конце) |(?<=(?:с|до|после) ))${month}${year}`),
      span: ([, name, of], now) => monthIn(given(of), monthOf(name), now),
      isText: true,
    },
    { pattern: alone("позавчера"), span: (_, now) => daysBack(now, 2, 2) },
    {
      pattern: alone(
        `вчера${partOfDay}|прошлой ночью|вчерашнего дня|(?<!со? )вчерашн(?:ий|яя|[ие]е|ей|его|юю|их)`,
      ),
      span: (_, now) => daysBack(now, 1, 1),
    },
    {
      pattern: alone(`сегодня${partOfDay}|сегодняшнего дня|(?<!со? )сегодняшн(?:ий|яя|[ие]е|ей|его|юю|их)`),
      span: (_, now) => daysBack(now, 0, 0),
    },
    {
      pattern: alone(`(?:${halfUnit}|${andHalf} ${unit}) (?:тому )?назад`),
      span: ([, half, many, of], now) =>
        half === undefined
          ? aroundHalves(now, 2 * numberOf(many) + 1, unitOf(of))
          : aroundHalves(now, 1, unitOf(half)),
    },
    {
      pattern: alone(`(?:за|в течение) последни[ех] ${halfUnit}`),
      span: ([, of], now) => lastHalves(now, 1, unitOf(of)),
    },
    {
      pattern: alone(`(?:${count} )?${unit} (?:тому )?назад`),
      span: ([, many, of], now) => around(now, numberOf(many), unitOf(of)),
    },
    {
      pattern: alone(
        `(?:(?:за|в течение) )?последни[ех] ${count} ${unit}|(?:за|в течение) последн(?:ий|юю|ей|его) ${unit}`,
      ),
      span: ([, many, of, one], now) => ({
        since: back(now, numberOf(many), unitOf(of ?? one)).getTime(),
        until: daysBack(now, 0, 0).until,
      }),
    },
    {
      pattern: alone(`(?:(?:на|в|за) )?(эт(?:ой|ом|от|у|ого)|${before}) (недел[еиюя]|месяц[еа]?|год[уа]?)`),
      span: ([, which, of], now) => calendarUnit(now, unitsBack(which), unitOf(of)),
    },
    {
      pattern: alone(`(?:во? )?${before} ${weekday}`),
      span: ([, name], now) => weekdayBefore(now, dayOf(name)),
    },
    {
      pattern: alone(`(?:во?(?: эт(?:от|у|о))? |(?<=(?:со?|до|после) ))${weekday}`),
      span: ([, name], now) => lastWeekday(now, dayOf(name)),
    },
    {
      pattern: alone("(?:в|на|за) (?:(эт|прошл|прошедш)(?:ие|ых|их|ые) )?выходны[ех]"),
      span: ([, which = "эт"], now) => weekend(now, unitsBack(which)),
      mayBeContent: true,
    },
    {
      pattern: alone("недавно|на днях|(?:за|в) последн(?:ее время|ие дни)"),
      span: (_, now) => daysBack(now, 7, 0),
    },
    {
      pattern: alone(`${month} ((?:19|20)\\d{2})(?: года)?`),
      span: ([, name, of], now) => monthOfYear(of, monthOf(name), now),
      isText: true,
    },
  ],
  sayNothing:
    /(?<![\wа-яё])(?:что|чем|как|какие|где|мы|я|мне|нам|нас|у|и|в|во|на|за|с|со|над|было|был[аи]?|всё|все|нового|с?делал[аи]?|сделано|занимал(?:ся|ись|ась)|работал[аи]?|произошло|случилось|происходило|изменил(?:ось|ись|и)|менял(?:ось|и)|изменения|покажи|расскажи|итоги|утром|дн[её]м|вечером)(?![\wа-яё])/gi,
  directionBefore: /(?<=^|\s)(?:(?<since>(?:начиная )?со?)|(?<after>после)|(?<before>до))\s+$/,
};

function monthOf(name: string | undefined): number {
  return months.findIndex((stem) => name?.startsWith(stem));
}

function dayOf(name: string | undefined): number {
  return weekdays.indexOf((name ?? "").slice(0, 4));
}

function unitsBack(which: string | undefined): number {
  if (which?.startsWith("эт") === true) return 0;
  return which?.startsWith("поза") === true ? 2 : 1;
}

function unitOf(word: string | undefined): string {
  const stems = { мин: "minute", час: "hour", нед: "week", мес: "month", год: "year", лет: "year" };
  return Object.entries(stems).find(([stem]) => word?.startsWith(stem))?.[1] ?? "day";
}

function numberOf(text = "один"): number {
  if (text === "пару") return 2;
  return text === "несколько" ? 3 : spelledNumber(text, numbers);
}

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

/* Times in Ukrainian: вчора, минулого тижня, 3 дні тому, у березні, 3 березня, у понеділок, за останні три дні. */

const letter = `\\w'’${slavicLetters}`;
const alone = aloneAmong(letter);

const months = "січ лют бер кві тра чер лип сер вер жов лис гру".split(" ");
const stems = "січ|берез|квіт|трав|черв|лип|серп|верес|жовт|груд";
const month = `((?:${stems})(?:ень|н[яі]|ні)|лют(?:ий|ого|ому)|листопад[аі]?)`;
const ofMonth = `((?:${stems})ня|лютого|листопада)`;
const year = "(?: (\\d{4})(?: р(?:оку|оці|\\.))?)?";
const weekdays = "нед пон вів сер чет пят суб".split(" ");
const weekday =
  "(неділ(?:[яюі]|ею)|понеділ(?:ок|к[ау]|ком)|вівтор(?:ок|к[ау]|ком)|серед(?:[ауи]|ою)(?! (?:розробк|виконанн|тестуванн|збірк|[a-z]))|четвер(?:га|гу|гом)?|п['’]?ятниц(?:[яюі]|ею)|субот(?:[ауи]|ою))";
const numbers =
  "один|одну два|дві три чотири п'ять|п’ять шість сім вісім дев'ять|дев’ять десять одинадцять дванадцять тринадцять чотирнадцять п'ятнадцять|п’ятнадцять шістнадцять сімнадцять вісімнадцять дев'ятнадцять|дев’ятнадцять двадцять".split(
    " ",
  );
const count = `(\\d{1,3}|пару|кілька|декілька|${numbers.join("|")})`;
const unit =
  "(хвилин[уи]?|годин[уи]?|день|дн(?:я|і|ів)|тиж(?:день|н[яі]|нів)|місяц(?:ь|я|і|ів)|р(?:ік|оку|оки|оків))";
const halfUnit = "пів ?(години|дня|тижня|місяця|року)";
const andHalf = `(?:півтор[аиі]|${count} з половиною)`;
const before = "(?:позаминул|минул|попередн)(?:ь?(?:ого|ої|ому)|ій|ю|у|я|ий)";
const partOfDay = "(?: (?:вранці|вдень|ввечері|вночі))?";

export const ukrainianTimes: TimeLanguage = {
  // Russian has neither these letters nor these words.
  signs: new RegExp(
    `[іїєґ]|[ву]чора|тому|минул|попередн|останн|ць|серед(?:[иу]|ою)(?![а-я])|четвер(?!г)|п['’]ятниц|пятницю|субот|нещодавно|днями|(?:${stems})е?н[ьяі]|лют(?:ого|ий)|листопад`,
  ),
  ranges: {
    form: (first, last) => `(?:від|зі?|із|між|с) ${first} (?:по|до|й|і|та) ${last}`,
    dates: `\\d{4}-\\d{2}-\\d{2}|\\d{1,2}\\.\\d{1,2}\\.\\d{4}|\\d{1,2} ${ofMonth}${year}|${month}${year}`,
    days: `${weekday}|вчора|позавчора|сьогодні`,
    alone,
  },
  phrases: [
    {
      pattern: alone(`(\\d{1,2}) ${ofMonth}${year}`),
      span: ([, day, name, of], now) => dayIn(given(of), monthOf(name), Number(day), now),
      isText: true,
    },
    {
      pattern: alone(`(?:[ву] |(?:за|на початку|наприкінці) |(?<=(?:з|із|від|до|після) ))${month}${year}`),
      span: ([, name, of], now) => monthIn(given(of), monthOf(name), now),
      isText: true,
    },
    { pattern: alone("позавчора"), span: (_, now) => daysBack(now, 2, 2) },
    {
      pattern: alone(`вчора${partOfDay}|учора${partOfDay}|минулої ночі|вчорашн(?:ій|я|є|і|ього|ьої|ю|іх)`),
      span: (_, now) => daysBack(now, 1, 1),
    },
    {
      pattern: alone(`сьогодні${partOfDay}|сьогоднішн(?:ій|я|є|і|ього|ьої|ю|іх)`),
      span: (_, now) => daysBack(now, 0, 0),
    },
    {
      pattern: alone(`(?:${halfUnit}|${andHalf} ${unit}) тому`),
      span: ([, half, many, of], now) =>
        half === undefined
          ? aroundHalves(now, 2 * numberOf(many) + 1, unitOf(of))
          : aroundHalves(now, 1, unitOf(half)),
    },
    {
      pattern: alone(`(?:за|протягом) останн(?:і|іх|ього) ${halfUnit}`),
      span: ([, of], now) => lastHalves(now, 1, unitOf(of)),
    },
    {
      pattern: alone(`(?:${count} )?${unit} тому`),
      span: ([, many, of], now) => around(now, numberOf(many), unitOf(of)),
    },
    {
      pattern: alone(
        `(?:(?:за|протягом) )?останн(?:і|іх) ${count} ${unit}|(?:за|протягом) останн(?:ій|ю|ього|ьої) ${unit}`,
      ),
      span: ([, many, of, one], now) => ({
        since: back(now, numberOf(many), unitOf(of ?? one)).getTime(),
        until: daysBack(now, 0, 0).until,
      }),
    },
    {
      pattern: alone(
        `(?:(?:на|у|в|за) )?(ц(?:ього|ьому|ей)|${before}) (тиж(?:день|н[яі])|місяц(?:ь|я|і)|р(?:ік|оку|оці))`,
      ),
      span: ([, which, of], now) => calendarUnit(now, unitsBack(which), unitOf(of)),
    },
    {
      pattern: alone(`(?:[ву] )?${before} ${weekday}`),
      span: ([, name], now) => weekdayBefore(now, dayOf(name)),
    },
    {
      pattern: alone(`(?:[ву](?: ц(?:ей|ю))? |(?<=(?:з|із|зі|від|до|після) ))${weekday}`),
      span: ([, name], now) => lastWeekday(now, dayOf(name)),
    },
    {
      pattern: alone("(?:на|у|в|за) (?:(ц|минул)(?:і|их) )?вихідн(?:і|их)|(минул)ими вихідними"),
      span: ([, which, other], now) => weekend(now, unitsBack(which ?? other ?? "ц")),
      mayBeContent: true,
    },
    {
      pattern: alone("нещодавно|днями|останнім часом|(?:за|в|у) останні дні"),
      span: (_, now) => daysBack(now, 7, 0),
    },
    {
      pattern: alone(`${month} ((?:19|20)\\d{2})(?: року)?`),
      span: ([, name, of], now) => monthOfYear(of, monthOf(name), now),
      isText: true,
    },
  ],
  sayNothing:
    /(?<![\wа-яіїєґ'’])(?:що|чим|як|які|де|ми|я|мені|нам|нас|у|в|і|й|та|на|за|з|із|над|було|був|була|були|все|усе|нового|з?робил[аи]?|зроблено|займал(?:ися|ись|ася)|працювал[аи]?|сталося|сталось|відбулося|відбувалося|змінил(?:ося|ось|ися|и)|змінювал(?:и|ося)|зміни|покажи|розкажи|підсумки|вранці|вдень|ввечері)(?![\wа-яіїєґ'’])/gi,
  directionBefore: /(?<=^|\s)(?:(?<since>(?:починаючи )?(?:з|із|зі|від))|(?<after>після)|(?<before>до))\s+$/,
};

function monthOf(name: string | undefined): number {
  return months.findIndex((stem) => name?.startsWith(stem));
}

function dayOf(name = ""): number {
  const plain = name.replace(/['’]/, "");
  return weekdays.findIndex((stem) => plain.startsWith(stem));
}

function unitsBack(which: string | undefined): number {
  if (which?.startsWith("ц") === true) return 0;
  return which?.startsWith("поза") === true ? 2 : 1;
}

function unitOf(word: string | undefined): string {
  const units = { хви: "minute", год: "hour", тиж: "week", міс: "month", рік: "year", ро: "year" };
  return Object.entries(units).find(([stem]) => word?.startsWith(stem))?.[1] ?? "day";
}

function numberOf(text = "один"): number {
  if (text === "пару") return 2;
  return /кілька$/.test(text) ? 3 : spelledNumber(text, numbers);
}

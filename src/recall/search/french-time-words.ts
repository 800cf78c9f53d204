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

/* Times in French: hier, la semaine dernière, il y a 3 jours, en mars, le 3 mars, lundi, les trois derniers jours. */

const letter = "\\wà-öø-ÿœ";
const alone = aloneAmong(letter);

const months = "janv fevr mars avri mai juin juil aout sept octo nove dece".split(" ");
const month =
  "(janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[ûu]t|septembre|octobre|novembre|d[ée]cembre)";
const weekdays = "dimanche lundi mardi mercredi jeudi vendredi samedi".split(" ");
const weekday = `(${weekdays.join("|")})`;
/** `Mars` is a planet, too, unless such a word or a year shows that the month is meant. */
const planet = `(?:mars(?! \\d{4})(?<!\\b(?:le|du|au|${weekdays.join("|")}) (?:\\d{1,2}|1er) mars))`;
const numbers =
  "un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt".split(
    " ",
  );
const count = `(\\d{1,3}|quelques|${numbers.join("|")})`;
const unit = "(minute|heure|jour|semaine|mois|ann[ée]e|an)s?";
const halfUnit = "demi[ -](heure|journée|année)";
const last = "(?:derni(?:er|[èe]re)|pass[ée]e?|pr[ée]c[ée]dente?)";
const partOfDay = "(?:matin|soir|après-midi)";

export const frenchTimes: TimeLanguage = {
  signs: new RegExp(
    `(?<![${letter}])(?:hier|aujourd['’]hui|ce (?:matin|soir)|cet après|il y a|semaine|mois|ann[ée]e|an|jours|heures?|minutes|récemment|dernièrement|week-?end|${weekdays.join("|")}|${month})(?![${letter}])`,
  ),
  ranges: {
    form: (first, last) =>
      `(?:d(?:u|e |epuis|['’])|entre) ?(?:le )?${first} (?:au|à|et|jusqu['’](?:au|à)) ?(?:le )?${last}`,
    dates: `\\d{4}-\\d{2}-\\d{2}|(?:\\d{1,2}|1er) ${month}(?: \\d{4})?|${month}(?: \\d{4})?`,
    days: `${weekday}(?: dernier)?|(?:avant-)?hier|aujourd['’]hui`,
    recurring: new RegExp(`^(?:${weekday}|${month})$`),
    alone,
  },
  phrases: [
    {
      pattern: alone(`(\\d{1,2}|1er) (?!${planet})${month}(?: (\\d{4}))?`),
      span: ([, day, name, year], now) =>
        dayIn(given(year), monthOf(name), Number.parseInt(day ?? "", 10), now),
      isText: true,
    },
    {
      pattern: alone(
        `(?:(?:en|fin|début|courant) |mi-|(?<=(?:depuis|avant|après|jusqu['’]en|dès) ))${month}(?: (\\d{4}))?|${month} ${last}`,
      ),
      span: ([, name, year, other], now) => monthIn(given(year), monthOf(name ?? other), now),
      isText: true,
    },
    { pattern: alone("avant[- ]hier"), span: (_, now) => daysBack(now, 2, 2) },
    {
      pattern: alone(
        `hier (?:au )?${partOfDay}|(?<=(?:^|[\\s(])(?:d['’]|depuis |jusqu['’]à ))hier|(?<=(?:quoi|fait|avons) (?:[^ ]+ ){0,5})hier|^\\s*hier(?=[\\s?!.]*$)`,
      ),
      span: (_, now) => daysBack(now, 1, 1),
    },
    // In German, it is `here`.
    { pattern: alone("hier"), span: (_, now) => daysBack(now, 1, 1), onlyIn: "french" },
    {
      pattern: alone("aujourd['’]hui|ce (?:matin|soir)|cet après-midi"),
      span: (_, now) => daysBack(now, 0, 0),
    },
    // `Quinze jours` are two weeks.
    {
      pattern: alone("il y a (?:(?:quinze|15) jours|une (?:petite |bonne )?quinzaine(?: de jours)?)"),
      span: (_, now) => around(now, 2, "week"),
    },
    {
      pattern: alone("il y a une huitaine(?: de jours)?"),
      span: (_, now) => around(now, 1, "week"),
    },
    {
      pattern: alone(`il y a (?:une ${halfUnit}|${count} ${unit} et demie?)`),
      span: ([, half, many, of], now) =>
        half === undefined
          ? aroundHalves(now, 2 * numberOf(many) + 1, unitOf(of))
          : aroundHalves(now, 1, halfUnitOf(half)),
    },
    {
      pattern: alone(`(?:(?:au cours de|dans|durant|pendant) )?la dernière ${halfUnit}`),
      span: ([, of], now) => lastHalves(now, 1, halfUnitOf(of)),
    },
    {
      pattern: alone(`il y a ${count} ${unit}`),
      span: ([, many, of], now) => around(now, numberOf(many), unitOf(of)),
    },
    {
      pattern: alone(
        `(?:(?:au cours|dans|durant|pendant) )?(?:[cld]es )?(?:${count} derni(?:ers|[èe]res)|derni(?:ers|[èe]res) ${count}) ${unit}|(?:(?:au cours de|dans|durant|pendant) )la dernière (heure)`,
      ),
      span: ([, many, other, of, hour], now) => ({
        since: back(now, numberOf(many ?? other), unitOf(of ?? hour)).getTime(),
        until: daysBack(now, 0, 0).until,
      }),
    },
    {
      pattern: alone(`(?:l[ea] |l['’])?(semaine|mois|ann[ée]e|an) ${last}`),
      span: ([, of], now) => calendarUnit(now, 1, unitOf(of)),
    },
    {
      pattern: alone("(?:cette|ce) (semaine|mois|ann[ée]e)(?:-ci)?"),
      span: ([, of], now) => calendarUnit(now, 0, unitOf(of)),
    },
    {
      pattern: alone(`${weekday} ${last}`),
      span: ([, name = ""], now) => weekdayBefore(now, weekdays.indexOf(name)),
    },
    {
      // `Le lundi` is every Monday.
      pattern: alone(
        `(?<!\\b(?:l[ea]|du|au|une?|chaque|prochain) )(?:ce )?${weekday}(?: ${partOfDay})?(?! (?:gras|prochain|suivant))`,
      ),
      span: ([, name = ""], now) => lastWeekday(now, weekdays.indexOf(name)),
    },
    {
      pattern: alone(`(?:[cl]e )?week-?end (?:dernier|pass[ée])|(ce) week-?end`),
      span: ([, current], now) => weekend(now, current === undefined ? 1 : 0),
      mayBeContent: true,
    },
    {
      pattern: alone(
        "récemment|dernièrement|ces derniers temps|(?:(?:au cours|dans|durant|pendant) )?[cld]es derniers jours|l['’]autre jour",
      ),
      span: (_, now) => daysBack(now, 7, 0),
    },
    {
      pattern: alone(`${month} ((?:19|20)\\d{2})`),
      span: ([, name, year], now) => monthOfYear(year, monthOf(name), now),
      isText: true,
    },
  ],
  sayNothing:
    /(?<![\wà-ÿ])(?:qu['’]est-ce qu(?:e|['’]on|i)|que|qu['’]|quoi|ce|qui|s['’]est|on|nous|j['’]ai|avons|avez|as|ai|a|ont|été|est|était|en|le|la|les|du|de|des|d['’]|sur|et|tout|fait|faite?s|travaillé|changé|modifié|passé|arrivé|montre|liste|résume|bilan|nouveau|changements|matin|soir)(?![\wà-ÿ])|(?<![\wà-ÿ])(?:qu|d|j|s|l)['’]/gi,
  directionBefore:
    /(?<=^|\s)(?:(?<since>depuis|dès|à partir d[eu]?)|(?<after>après)|(?<before>avant|jusqu['’](?:à|au|en)))(?:\s+|['’])(?:l[ea]\s+|l['’])?$/,
};

function monthOf(name = ""): number {
  const plain = name.replaceAll("é", "e").replaceAll("û", "u");
  return months.findIndex((opening) => plain.startsWith(opening));
}

function unitOf(word = ""): string {
  return { minute: "minute", heure: "hour", jour: "day", semaine: "week", mois: "month" }[word] ?? "year";
}

function halfUnitOf(word = ""): string {
  return unitOf(word.replace("journée", "jour"));
}

function numberOf(text = "un"): number {
  return text === "quelques" ? 3 : spelledNumber(text, numbers);
}

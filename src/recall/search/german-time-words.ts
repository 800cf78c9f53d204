import { aroundHalves, lastHalves } from "./half-units.ts";
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
  type Phrase,
  weekdayBefore,
  weekend,
} from "./time-spans.ts";

/* Times in German: gestern, letzte Woche, vor drei Tagen, im März, am 3. März, am 3.3., am Montag, am Wochenende. */

const months = "jan feb mär apr mai jun jul aug sep okt nov dez".split(" ");
const month =
  "(januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|mär|apr|jun|jul|aug|sept?|okt|nov|dez)\\.?";
const weekdays = "sonntag montag dienstag mittwoch donnerstag freitag samstag".split(" ");
const weekday = `(${weekdays.join("|")}|sonnabend)`;
const numbers =
  "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig".split(
    " ",
  );
const count = `(\\d{1,3}|eine[mr]|(?:ein )?paar|${numbers.slice(1).join("|")})`;
const unit = "(minute|stunde|tag|woche|monat|jahr)e?n?";
const halfUnit = "halben (stunde|tag|woche|monat|jahr)e?";
const andHalf = `(andert|${numbers.slice(0, 12).join("|")})(?:und)?(?:ein)?halb(?:en?)?`;
const article = "(?:de[mnr] )?";

/** A day or a month without the word before it. */
export const germanDate = `(?:\\d{1,2}\\. ?)?${month}(?: \\d{4})?|\\d{1,2}\\.\\d{1,2}\\.(?:\\d{4})?`;
export const germanDay = `gestern|heute|${weekday}`;

/** Not within a longer word; patterns without Unicode classes take letters with marks for the end of a word. */
const alone = (phrase: string) => new RegExp(`(?<![\\wäöüß/-])(?:${phrase})(?![\\wäöüß/-]|\\.\\w)`);

/** Every phrase below contains one of these or a digit. */
export const germanTimeWord = `gestern|heute|woche|monat|jahr|stunde|minute|tag|mittwoch|sonnabend|neulich|kürzlich|${months.join("|")}|jän`;

export const germanPhrases: readonly Phrase[] = [
  {
    pattern: alone(`(\\d{1,2})\\. ?${month}(?: (\\d{4}))?`),
    span: ([, day, name, year], now) => dayIn(given(year), monthOf(name), Number(day), now),
    isText: true,
  },
  {
    // Only after such a word: `3.12.` may also be a version at the end of a sentence.
    pattern: /(?<=\b(?:am|vom|zum|ab|bis|seit|nach|vor|de[mn]) )(\d{1,2})\.(\d{1,2})\.(?!\w)/,
    span: ([, day, monthNumber], now) => dayIn(undefined, Number(monthNumber) - 1, Number(day), now),
    isText: true,
  },
  {
    pattern: alone(`(?:im|seit|vor|nach|bis|anfang|mitte|ende) ${month}(?: (\\d{4}))?`),
    span: ([, name, year], now) => monthIn(given(year), monthOf(name), now),
    isText: true,
  },
  { pattern: alone("vorgestern"), span: (_, now) => daysBack(now, 2, 2) },
  { pattern: alone("gestern"), span: (_, now) => daysBack(now, 1, 1) },
  { pattern: alone("heute"), span: (_, now) => daysBack(now, 0, 0) },
  {
    pattern: alone(`vor eine[mr] ${halfUnit}|vor ${andHalf} ${unit}`),
    span: ([, half, many, of], now) =>
      half === undefined ? aroundHalves(now, halvesOf(many), unitOf(of)) : aroundHalves(now, 1, unitOf(half)),
  },
  { pattern: alone("vor (?:vierzehn|14) tagen"), span: (_, now) => around(now, 2, "week") },
  {
    pattern: alone(`(?:in |im |während )?${article}(?:letzten|vergangenen) ${halfUnit}`),
    span: ([, of], now) => lastHalves(now, 1, unitOf(of)),
  },
  {
    pattern: alone(`vor ${count} ${unit}`),
    span: ([, many, of], now) => around(now, numberOf(many), unitOf(of)),
  },
  {
    pattern: alone(`(?:in |während )?${article}(?:letzten|vergangenen) ${count} ${unit}`),
    span: ([, many, of], now) => ({
      since: back(now, numberOf(many), unitOf(of)).getTime(),
      until: daysBack(now, 0, 0).until,
    }),
  },
  {
    pattern: alone(`(?:in |während )?${article}(?:letzten|vergangenen) stunde`),
    span: (_, now) => ({ since: back(now, 1, "hour").getTime(), until: daysBack(now, 0, 0).until }),
  },
  {
    pattern: alone(`(?:in |im )?${article}(diese|letzte|vorige|vergangene)[mnrs]? (woche|monat|jahr)`),
    span: ([, which, of], now) => calendarUnit(now, which === "diese" ? 0 : 1, unitOf(of)),
  },
  {
    pattern: alone(`(am|seit|nach|vor|bis|letzten|vergangenen|diesen) ${weekday}`),
    span: ([, which = "", name], now) => {
      const wanted = name === "sonnabend" ? 6 : weekdays.indexOf(name ?? "");
      return /^(?:letz|verg)/.test(which) ? weekdayBefore(now, wanted) : lastWeekday(now, wanted);
    },
  },
  {
    pattern: alone(
      `(?:(?:am|über das) )?${article}(letzte|vergangene|vorige|diese)[mns]? wochenende|(?:am |übers |über das |(?<=(?:seit|nach|vor|bis)(?: zum| dem)? ))wochenende`,
    ),
    span: ([, which = "diese"], now) => weekend(now, which === "diese" ? 0 : 1),
    mayBeContent: true,
  },
  {
    pattern: alone(`neulich|kürzlich|(?:in |während )?${article}(?:letzten|vergangenen) tagen?`),
    span: (_, now) => daysBack(now, 7, 0),
  },
];

/** A month without a word before it, whose year shows that a time is meant. */
export const germanMonthOfYear: Phrase = {
  pattern: alone(`${month} ((?:19|20)\\d{2})`),
  span: ([, name, year], now) => monthOfYear(year, monthOf(name), now),
  isText: true,
};

/** Words that, beside a German time, only ask what happened. */
export const sayNothingInGerman =
  /(?<![\wäöüß])(?:was|wie|wo|woran|habe[n]?|hat|hatten|wurden?|ist|sind|war(?:en)?|gab|es|wir|ich|man|alles?|mir|uns|die|der|das|de[mn]|an|am|im|in|und|so|gemacht|getan|gearbeitet|geändert|geschehen|passiert|erledigt|geschafft|los|neu(?:es)?|arbeit(?:en)?|änderungen|zeige?|liste|morgen|vormittag|nachmittag|abend|früh)(?![\wäöüß])/gi;

/** Finds a German word before a time that changes it. */
export function germanDirectionBefore(before: string): RegExpExecArray | null {
  return /(?<=^|\s)(seit|nach|vor|bis)\s+(?:zu[mr]?\s+)?(?:de[mnr]\s+)?$/.exec(before);
}

/** The same at the beginning of a time. `Vor drei Tagen` means that time itself. */
export function germanDirectionIn(phrase: string): RegExpExecArray | null {
  return new RegExp(`^(seit|nach|bis|vor(?= (?:${month}|${weekday})))\\b`).exec(phrase);
}

function monthOf(name: string | undefined): number {
  return months.indexOf((name ?? "").slice(0, 3).replace("jän", "jan"));
}

function unitOf(word: string | undefined): string {
  return (
    { minute: "minute", stunde: "hour", tag: "day", woche: "week", monat: "month" }[word ?? ""] ?? "year"
  );
}

/** `Anderthalb` is one and a half, `zweieinhalb` two and a half. */
function halvesOf(text: string | undefined): number {
  return text === "andert" ? 3 : 2 * numberOf(text) + 1;
}

function numberOf(text: string | undefined): number {
  if (text?.endsWith("paar") === true) return 3;
  if (text?.startsWith("eine") === true) return 1;
  const spelt = numbers.indexOf(text ?? "");
  return spelt < 0 ? Number(text) : spelt + 1;
}

import { indexTokens } from "./tokens.ts";

/* How texts write a day or a month: `2026-12-24`, `24.12.2026`, `12/24/2026`, `Dec 24th`, `24. Dezember 2026`. */

/** A day, or a month if there is no day. The month is from 1 to 12. */
export interface CalendarDate {
  /** Undefined for that of any year. */
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number | undefined;
}

const languages = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru"];

/** A pattern that finds the date in a text. A year in the text has to be the same. */
export function datePattern({ year, month, day }: CalendarDate): RegExp {
  const y = year ?? "\\d{4}";
  const m = `0?${month}`;
  const name = `(?:${monthNames(month).join("|")})\\.?`;
  const ofYear = ",? (?:de )?";
  const d = `0?${day}`;
  const ordinal = "(?:st|nd|rd|th|er|º|\\.)?";
  const noOther = year === undefined ? "" : `(?!${ofYear}(?!${year})\\d{4}(?!\\d))`;
  const spellings =
    day === undefined
      ? [`${y}[-/.]${m}`, `${m}[-/.]${y}`, `${name}${ofYear}${y}`]
      : [
          ...["-", "/", "\\."].flatMap((sign) => [[y, m, d].join(sign), [d, m, y].join(sign)]),
          `${m}/${d}/${y}`,
          `${d}${ordinal}(?: of| de)? ${name}${noOther}`,
          `${name} ${d}${ordinal}${noOther}`,
        ];
  return new RegExp(`(?<![\\p{L}\\d])(?:${spellings.join("|")})(?!\\d|(?!T\\d)\\p{L})`, "iu");
}

/** Groups of index tokens; a text that contains the date in words or in the usual digits has all tokens of a group. */
export function dateTokens({ year, month, day }: CalendarDate): string[][] {
  const names = monthNames(month).flatMap((name) => indexTokens(name).map((token) => [token]));
  const months = bothWays(month);
  if (day === undefined) return [...names, ...months.map((m) => [`${year}`, m])];
  const padded = [month, day].map((number) => bothWays(number)[1] ?? "");
  if (year === undefined) return [...names, padded];
  const numeric = bothWays(day).flatMap((d) =>
    months.flatMap((m) => [
      ...["-", "/", "."].flatMap((sign) => [[d, m, year].join(sign), [year, m, d].join(sign)]),
      [m, d, year].join("/"),
    ]),
  );
  return [...names, ...numeric.map((token) => [token]), [`${year}`, ...padded]];
}

function bothWays(number: number): string[] {
  return [`${number}`, `${number}`.padStart(2, "0")];
}

/** By month: all languages take some milliseconds. */
const knownNames = new Map<number, readonly string[]>();

/** The names of a month as they are in dates, whole and abbreviated. */
function monthNames(month: number): readonly string[] {
  const names = knownNames.get(month) ?? readMonthNames(month);
  knownNames.set(month, names);
  return names;
}

function readMonthNames(month: number): string[] {
  const date = new Date(Date.UTC(2024, month - 1, 15));
  const names = languages.flatMap((language) =>
    (["long", "short"] as const).flatMap((style) => {
      const format = new Intl.DateTimeFormat(language, { day: "numeric", month: style, timeZone: "UTC" });
      return format.formatToParts(date).flatMap(({ type, value }) => (type === "month" ? [value] : []));
    }),
  );
  return [...new Set(names.map((name) => name.replace(/\.$/, "")))].sort((a, b) => b.length - a.length);
}

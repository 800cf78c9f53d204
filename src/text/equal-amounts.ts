import { indexTokens } from "./tokens.ts";

/*
 * One amount in several units, as texts, code and settings have it: `1500ms` and `1.5 seconds`, `30s` and
 * `timeout: 30000`, `4GB` and `--max-old-space-size=4096`, `2KB` and `2 KiB`.
 */

interface Unit {
  /** As index tokens join them to their number. */
  readonly short: readonly string[];
  readonly long: string;
  /** How many of the next smaller unit it is. */
  readonly size: number;
}

/** The smallest units first. */
const scales: readonly (readonly Unit[])[] = [
  [
    { short: ["ms"], long: "milliseconds?", size: 1 },
    { short: ["s", "sec"], long: "seconds?|secs", size: 1000 },
    { short: ["min", "m"], long: "minutes?|mins", size: 60 },
    { short: ["h"], long: "hours?", size: 60 },
    { short: ["d"], long: "days?", size: 24 },
  ],
  [
    { short: ["kb", "kib", "ki"], long: "kilobytes?|kibibytes?", size: 1 },
    { short: ["mb", "mib", "mi"], long: "megabytes?|mebibytes?", size: 1024 },
    { short: ["gb", "gib", "gi"], long: "gigabytes?|gibibytes?", size: 1024 },
    { short: ["tb", "tib", "ti"], long: "terabytes?|tebibytes?", size: 1024 },
  ],
];

const unitPattern = scales.flatMap((scale) => scale.flatMap(({ short, long }) => [...short, long])).join("|");
const amount = new RegExp(`(?<![\\w.,-])(\\d{1,9}(?:\\.\\d{1,3})?) ?(${unitPattern})(?![\\w-]|\\.\\w)`, "g");

/** Numbers without unit that say enough by themselves; others are in too many texts. */
const tellingNumber = /^\d{4,}$|\./;
const mostDigits = 9;

/**
 * Maps the first index token of each amount in a query, which is that of its unit if its number has one digit, to the
 * tokens of the same amount in other units.
 */
export function equalAmounts(query: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  if (!/\d/.test(query)) return found;
  for (const [whole, number = "", unit = ""] of query.toLowerCase().matchAll(amount)) {
    const [token] = indexTokens(whole);
    if (token !== undefined) found.set(token, equals(Number(number), unit));
  }
  return found;
}

function equals(value: number, name: string): string[] {
  for (const scale of scales) {
    const at = scale.findIndex(
      ({ short, long }) => short.includes(name) || new RegExp(`^(?:${long})$`).test(name),
    );
    const unit = scale[at];
    if (unit === undefined) continue;
    const smaller = scale[at - 1];
    const larger = scale[at + 1];
    return [
      ...joined(value, unit),
      ...(smaller === undefined ? [] : withNumber(value * unit.size, smaller)),
      ...(larger === undefined ? [] : withNumber(value / larger.size, larger)),
    ];
  }
  return [];
}

function withNumber(value: number, unit: Unit): string[] {
  const written = String(value);
  if (value < 1 || !/^\d+(?:\.\d{1,2})?$/.test(written) || written.length > mostDigits) return [];
  return [...joined(value, unit), ...(tellingNumber.test(written) ? [written] : [])];
}

function joined(value: number, { short }: Unit): string[] {
  return short.map((name) => `${value}${name}`);
}

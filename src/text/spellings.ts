import { formerToken, indexTokens } from "./tokens.ts";

/*
 * Compounds are written as one word or several: `re-index` and `reindex`, `get_user` and `getUser`, `sha-256` and
 * `sha256`. The joined form of a compound is itself a token of texts that write it so. How to split a single word is
 * known only where digits follow letters; for other words every split is tried, but only if the word itself occurs
 * nowhere.
 */

const compound = /^[a-z]+(?:[-_][a-z]+)+$/;
const numbered = /^([a-z]+)([-_./]?)(\d+)$/;
const joints = ["", "-", "_", ".", "/"];
const hash = /^(?=.*\d)(?=.*[a-f])[\da-f]{7,64}$/;
/** Git shows the first seven to twelve digits of a commit. */
const shortHash = { from: 7, to: 12 } as const;
const version = /^v?\d+(?:\.\d+)*$/;
/** As `tlsv1.2`. */
const versioned = /^([a-z]{2,}?)(v?)(\d+(?:\.\d+)+)$/;
const hexadecimal = /^(0x)?((?=[a-f]*\d)[\da-f]{4,16})$/;
const units = "ms|sec|min|px|hz|khz|mhz|ghz|bits?|bytes?|[kmgt]i?b|[kmgt]i|s|h|d";
const measured = new RegExp(`^(\\d+(?:\\.\\d+)?)(${units})$`);

/** Index tokens of other spellings of a token. */
export function otherSpellings(token: string): readonly string[] {
  if (compound.test(token)) return indexTokens(token.replaceAll(/[-_]/g, ""));
  if (version.test(token)) return [token.startsWith("v") ? token.slice(1) : `v${token}`];
  const [, letters = "", separator = "", digits = ""] = numbered.exec(token) ?? [];
  if (digits !== "")
    return [
      ...joints.filter((joint) => joint !== separator).map((joint) => letters + joint + digits),
      ...otherwiseFilled(digits).flatMap((number) => joinedNames(letters, number)),
    ];
  const [, name = "", v, dotted = ""] = versioned.exec(token) ?? [];
  if (name !== "") return [`${name}${v === "" ? "v" : ""}${dotted}`];
  const [, number = "", unit = ""] = measured.exec(token) ?? [];
  if (number === "") return otherNumber(token);
  // A single digit is no token, so texts with the unit apart are found by the unit.
  return number.length > 1 ? [number] : namesOf(unit);
}

/** Between a name and a number that is filled up with zeros. */
const fillable = ["", "-", "_"];
/** Numbers are filled up to one of these lengths. */
const filledLengths = [2, 3, 4];

function joinedNames(name: string, number: string): string[] {
  return fillable.map((joint) => name + joint + number);
}

/** A number with and without zeros before it, as in `ADR-017`. */
function otherwiseFilled(digits: string): string[] {
  const plain = digits.replace(/^0+(?=\d)/, "");
  const filled = filledLengths.map((length) => plain.padStart(length, "0"));
  return [...new Set([plain, ...filled])].filter((number) => number !== digits);
}

/**
 * The stemmer treats the `s` of `APIs` as a plural, but that of `JWTs` as part of the word, because it requires a vowel
 * before.
 */
const acronym = /^[a-z]{1,3}[a-rt-z]$/;
const acronyms = /^[a-z]{1,3}[a-rt-z]s$/;

function otherNumber(token: string): string[] {
  const keepsItsEnd = (plural: string) => indexTokens(plural)[0] === plural;
  const [, prefix, digits = ""] = hexadecimal.exec(token) ?? [];
  return [
    ...(digits === "" || /^\d+$/.test(token) ? [] : [prefix === undefined ? `0x${token}` : digits]),
    ...(acronym.test(token) && keepsItsEnd(`${token}s`) ? [`${token}s`] : []),
    ...(acronyms.test(token) && keepsItsEnd(token) ? indexTokens(token.slice(0, -1)) : []),
  ];
}

/** Whether a token may be the beginning of a longer hash. */
export function isShortHash(token: string): boolean {
  return hash.test(token) && token.length <= shortHash.to;
}

/** The beginnings by which others may name a hash; none for other tokens. */
export function shorterHashes(token: string): readonly string[] {
  if (!hash.test(token)) return [];
  const longest = Math.min(shortHash.to, token.length - 1);
  return Array.from({ length: Math.max(0, longest - shortHash.from + 1) }, (_, at) =>
    token.slice(0, shortHash.from + at),
  );
}

/** How units that are written out are joined to their number: `45 minutes` as `45min`. */
const shortUnits: Readonly<Record<string, readonly string[]>> = {
  millisecond: ["ms"],
  second: ["s", "sec"],
  minute: ["min", "m"],
  hour: ["h"],
  day: ["d"],
  pixel: ["px"],
  kilobyte: ["kb", "kib"],
  megabyte: ["mb", "mib"],
  gigabyte: ["gb", "gib"],
  terabyte: ["tb", "tib"],
};

/** Index tokens of a unit that stands apart from its number. */
function namesOf(unit: string): string[] {
  const name = unit.replace(/(?<=..)s$/, "");
  const [same = [unit]] = Object.entries(shortUnits)
    .map(([long, short]) => [long, ...short])
    .filter((names) => names.includes(name));
  return indexTokens(same.join(" "));
}

const wholeUnits = `(?:${Object.keys(shortUnits).join("|")})s?`;

/**
 * A number and its unit, or a name and its number, which some write as one word: `800 ms`, `45 minutes`, `TS 2345`,
 * `Python 3.11`.
 */
const apart = new RegExp(
  `(?<![\\w.-])(?:(\\d+(?:\\.\\d+)?) (${units}|${wholeUnits})|([a-z]{2,10}) (\\d{1,6}(?:\\.\\d+)*)(?! (?:${units}|${wholeUnits})\\b))(?![\\w-]|\\.\\w)`,
  "g",
);

/** Maps index tokens of a query to the tokens of the joined words that they form. */
export function joinedSpellings(query: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  if (!/\d/.test(query)) return found;
  for (const [, number, unit, name, digits] of query.toLowerCase().matchAll(apart)) {
    const parts = [number ?? name ?? "", unit ?? digits ?? ""] as const;
    if (name !== undefined && indexTokens(name).length === 0) continue;
    const ends = shortUnits[parts[1].replace(/s$/, "")] ?? [parts[1]];
    const joined = ends.flatMap((end) => indexTokens(`${parts[0]}${end}`).slice(0, 1));
    if (joined.length === 0) continue;
    const filled = digits === undefined || !/^\d{1,3}$/.test(digits) ? [] : otherwiseFilled(digits);
    // Two digits may as well be decimals.
    const alone = filled.filter((one) => one.length > 2);
    const all = [...joined, ...filled.flatMap((one) => joinedNames(parts[0], one)), ...alone];
    for (const token of parts.flatMap((part) => indexTokens(part))) found.set(token, all);
    for (const token of indexTokens(unit ?? "")) found.set(token, [...joined, ...namesOf(unit ?? "")]);
  }
  return found;
}

/** A single digit with its unit: `2h`, `2 hours`. */
const smallCount = new RegExp(`(?<![\\w.-])(\\d) ?(${units}|${wholeUnits})(?![\\w-]|\\.\\w)`, "g");

/** A query may be a whole text; then only its first counts are looked for. */
const mostCounts = 4;

/**
 * A pattern for each count of a single digit in a query, such as `2h`, that matches its spellings. A single digit is no
 * token, so the index knows such a count in two words by its unit only.
 */
export function smallCounts(query: string): RegExp[] {
  const found = [...query.toLowerCase().matchAll(smallCount)].slice(0, mostCounts);
  return found.map(([, digit = "", unit = ""]) => {
    const name = unit.replace(/(?<=..)s$/, "");
    const isSame = ([long, short]: readonly [string, readonly string[]]) =>
      long === name || short.includes(name);
    const spellings = Object.entries(shortUnits).find(isSame)?.flat() ?? [name];
    const written = spellings.map((one) => (one.length > 2 ? `${one}s?` : one)).join("|");
    return new RegExp(`(?<![\\w.-])${digit}[ -]?(?:${written})(?!\\w)`, "i");
  });
}

const longestApart = 20;
const german = /[äöü]|[aou]e/;
const folded: Readonly<Record<string, string>> = { ae: "a", oe: "o", ue: "u", ä: "ae", ö: "oe", ü: "ue" };

/**
 * Index tokens of alternative spellings, for words that occur nowhere as they are: split in two (`oncall` for
 * `on-call`), German umlauts transcribed or dropped (`groesse` for `Größe`).
 */
export function rarerSpellings(word: string): readonly string[] {
  const found = new Set<string>();
  if (/^[a-z]+$/.test(word) && word.length <= longestApart) {
    for (let at = 1; at <= word.length - 2; at += 1)
      for (const joint of "-_") found.add(`${word.slice(0, at)}${joint}${word.slice(at)}`);
  }
  if (german.test(word)) {
    // The index removes diacritics, so umlauts are compared as plain vowels.
    const vowels = word.replace(/[aou]e|[äöü]/g, (vowel) => folded[vowel] ?? vowel);
    for (const token of indexTokens(vowels)) found.add(token);
    for (const token of indexTokens(word)) found.delete(token);
  }
  for (const former of formerSpellings(word)) found.add(former);
  return [...found];
}

/** The tokens of a word written with `ß` or `ı`, under which documents are indexed that are not yet indexed again. */
function formerSpellings(word: string): string[] {
  const plain = word.replace(/[aou]e/g, (vowel) => folded[vowel] ?? vowel);
  const written = [word, plain].map((one) => one.replaceAll("ss", "ß"));
  return [...written, word.replaceAll("i", "ı")].flatMap((one) => formerToken(one) ?? []);
}

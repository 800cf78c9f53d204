/*
 * Large numbers, which people write in several ways: `10000`, `10,000`, `10.000`, `10_000`, `10 000` and `10k`,
 * `5000000`, `5M` and `5 million`. Commas and blanks end index tokens, so texts that use them are searched for literally.
 */

/** A small `m` counts minutes. */
const number =
  /(?<![\w.,])(?:(\d{1,3}(?:[.,_' ’\u00a0\u202f]\d{3})+)|(\d{4,9})|(\d{1,4})[kK]|(\d{1,3}(?:\.\d)?)(?:M| ?(?:[Mm]il(?:lion(?:en|s)?|lones)|[Mm]io)))(?!\w|[.,_]\d)/g;
const thousand = /\B(?=(?:\d{3})+$)/g;
/** Index tokens. */
const namesOfMillion = ["million", "millionen", "mio", "millon"];

/** Most queries have none. */
const anyThousands = /\d{3}|\d(?:k|M| ?mi)/i;

/** Maps the index tokens of such a number in a query to the tokens of its other spellings. */
export function otherThousands(query: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const parts of numbersIn(query)) {
    const digits = digitsOf(parts);
    const millions = millionsOf(digits);
    const spellings = [
      digits,
      ...[".", "_"].map((mark) => digits.replace(thousand, mark)),
      ...(digits.endsWith("000") ? [`${digits.slice(0, -3)}k`] : []),
      ...(millions === undefined ? [] : [`${millions}m`, ...namesOfMillion]),
    ];
    for (const token of partsOf(parts[0])) found.set(token, spellings);
  }
  return found;
}

/** The other spellings of a query's numbers that are no single index token, those with commas first. */
export function thousandsInParts(query: string): string[] {
  const written = numbersIn(query).map(digitsOf);
  const ofMillions = written.flatMap(millionsOf).filter((millions) => millions !== undefined);
  const spellings = [
    ...written.map((digits) => digits.replace(thousand, ",")),
    ...ofMillions.map((millions) => `${millions} million`),
    ...written.map((digits) => digits.replace(thousand, " ")),
  ];
  return spellings.filter((spelling) => !query.includes(spelling));
}

function numbersIn(query: string): RegExpExecArray[] {
  return anyThousands.test(query) ? [...query.matchAll(number)] : [];
}

function digitsOf([, grouped, plain, thousands, millions]: RegExpMatchArray): string {
  if (millions !== undefined) return String(Math.round(Number(millions) * 1_000_000));
  return grouped?.replace(/\D/g, "") ?? plain ?? `${thousands}000`;
}

/** As `1.5`; undefined for numbers that nobody counts in millions. */
function millionsOf(digits: string): string | undefined {
  return digits.length > 6 && digits.endsWith("00000") ? String(Number(digits) / 1_000_000) : undefined;
}

function partsOf(written: string): string[] {
  return written.toLowerCase().split(/[^\w.]/);
}

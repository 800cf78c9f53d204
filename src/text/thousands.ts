/*
 * Numbers in thousands, which people write in several ways: `10000`, `10,000`, `10.000`, `10_000`, `10 000` and `10k`.
 * Commas and blanks end index tokens, so texts that use them are searched for literally.
 */

const number = /(?<![\w.,])(?:(\d{1,3}(?:[.,_' ’\u00a0\u202f]\d{3})+)|(\d{4,9})|(\d{1,4})k)(?!\w|[.,_]\d)/gi;
const thousand = /\B(?=(?:\d{3})+$)/g;

/** Most queries have none. */
const anyThousands = /\d{3}|\dk/i;

/** Maps the index tokens of such a number in a query to the tokens of its other spellings. */
export function otherThousands(query: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  if (!anyThousands.test(query)) return found;
  for (const parts of query.matchAll(number)) {
    const digits = digitsOf(parts);
    const spellings = [
      digits,
      ...[".", "_"].map((mark) => digits.replace(thousand, mark)),
      ...(digits.endsWith("000") ? [`${digits.slice(0, -3)}k`] : []),
    ];
    for (const token of partsOf(parts[0])) found.set(token, spellings);
  }
  return found;
}

/** How texts write the other numbers of a query with commas, which no index token contains. */
export function thousandsWithCommas(query: string): string[] {
  const found = anyThousands.test(query) ? [...query.matchAll(number)] : [];
  return found
    .map((parts) => digitsOf(parts).replace(thousand, ","))
    .filter((written) => !query.includes(written));
}

function digitsOf([, grouped, plain, short]: RegExpMatchArray): string {
  return grouped?.replace(/\D/g, "") ?? plain ?? `${short}000`;
}

function partsOf(written: string): string[] {
  return /[._]/.test(written) ? [written] : written.toLowerCase().split(/\W/);
}

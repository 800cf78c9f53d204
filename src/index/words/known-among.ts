import { groupBy } from "../../group-by.ts";
import type { Sql } from "../../store/sql.ts";
import { documentFrequencies } from "./term-frequency.ts";

/*
 * Most spellings of a word begin alike. To read a known term with that beginning takes 5 µs, to look for a term 10 to
 * 25 µs, as that reads from every segment of the index: so as many terms are read as would be looked for, and only if
 * there are more, the beginning is made longer. Six hundred spellings take 1 ms in a small store, not 7 ms.
 */

const beginningLengths = [2, 3, 4];
/** Fewer are looked for one by one. */
const leastAlike = 16;

/** The document frequency of each term, of many terms in letters of which few are known. */
export async function knownAmong(
  sql: Sql,
  terms: readonly string[],
  documents: number,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  let left = terms;
  for (const length of beginningLengths) {
    const unread: string[] = [];
    for (const [beginning, alike] of groupBy(left, (term) => term.slice(0, length))) {
      const known = alike.length < leastAlike ? undefined : await termsWith(sql, beginning, alike.length);
      if (known === undefined) unread.push(...alike);
      else for (const term of alike) if (known.has(term)) found.set(term, known.get(term) ?? 0);
    }
    left = unread;
  }
  return new Map([...found, ...(await documentFrequencies(sql, left, documents))]);
}

/** The terms with a beginning and their document frequencies; undefined if there are more than `most`. */
async function termsWith(
  sql: Sql,
  beginning: string,
  most: number,
): Promise<ReadonlyMap<string, number> | undefined> {
  const rows = await sql.values(
    "SELECT term, doc FROM documents_terms WHERE term >= ? AND term < ? LIMIT ?",
    [beginning, `${beginning}\u{10ffff}`, most + 1],
  );
  return rows.length > most ? undefined : new Map(rows.map(([term, doc]) => [String(term), Number(doc)]));
}

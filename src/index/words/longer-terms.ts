import { firstColumn, type Sql } from "../../store/sql.ts";

const shortestBeginning = 4;
const termsRead = 200;
const termsTaken = 8;
/** Terms that begin with a stem are read as far as this: a long walk would keep the search waiting. */
const termsOfStemRead = 500;
/** How much longer than their stem inflected words are. */
const longestEnding = 9;

/** Terms of the index that begin with `beginning` and are longer, the shortest first. */
export async function longerTerms(sql: Sql, beginning: string): Promise<readonly string[]> {
  if (beginning.length < shortestBeginning) return [];
  return firstColumn(
    sql,
    `SELECT term FROM (SELECT term FROM documents_terms WHERE term > ? AND term < ? LIMIT ${termsRead})
    ORDER BY length(term), term LIMIT ${termsTaken}`,
    [beginning, `${beginning}\u{10ffff}`],
  );
}

/** Terms of the index that are `stem`, or that and an ending, the shortest first. */
export async function termsOfStem(sql: Sql, stem: string): Promise<readonly string[]> {
  return firstColumn(
    sql,
    `SELECT term FROM (SELECT term FROM documents_terms WHERE term >= ? AND term < ? LIMIT ${termsOfStemRead})
    WHERE length(term) <= ? ORDER BY length(term), term`,
    [stem, `${stem}\u{10ffff}`, stem.length + longestEnding],
  );
}

import { firstColumn, type Sql } from "../../store/sql.ts";

const shortestBeginning = 4;
const termsRead = 200;
const termsTaken = 8;

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

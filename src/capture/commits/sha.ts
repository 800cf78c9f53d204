import { firstColumn, type Sql } from "../../store/sql.ts";

/*
 * A short and a long form of a sha mean the same commit if that is certain: both are hex with at least seven
 * digits, and only one known commit begins with the short form.
 */

export const leastDigits = 7;

function isHex(sha: string): boolean {
  return /^[0-9a-f]+$/u.test(sha);
}

/** The stored form of a sha: hex in lower case. */
export function storedCase(sha: string): string {
  const lower = sha.toLowerCase();
  return isHex(lower) ? lower : sha;
}

/** The stored shas that equal one of these, or may be another form of one. */
export async function likeShas(sql: Sql, shas: Iterable<string>): Promise<string[]> {
  const all = [...shas];
  const heads = new Set(all.filter(isForm).map((sha) => sha.slice(0, leastDigits)));
  return firstColumn(
    sql,
    `SELECT sha FROM commits WHERE sha IN (SELECT value FROM json_each(?1))
     UNION SELECT sha FROM json_each(?2) AS head CROSS JOIN commits
       ON sha >= head.value AND sha < head.value || 'g' AND sha NOT GLOB '*[^0-9a-f]*'`,
    [JSON.stringify(all), JSON.stringify([...heads])],
  );
}

/** Stored hex shas that begin with the digits, in order. */
export async function storedBeginningWith(sql: Sql, digits: string, limit: number): Promise<string[]> {
  return firstColumn(
    sql,
    "SELECT sha FROM commits WHERE sha >= ?1 AND sha < ?1 || 'g' AND sha NOT GLOB '*[^0-9a-f]*' ORDER BY sha LIMIT ?2",
    [digits, limit],
  );
}

/** The known sha that a sha means: itself, its only longer form, or a shorter form that begins no other. */
export function sameCommit(known: readonly string[], sha: string): string | undefined {
  if (known.includes(sha)) return sha;
  if (!isForm(sha)) return undefined;
  const [longer, another] = beginningWith(known, sha);
  if (longer !== undefined) return another === undefined ? longer : undefined;
  return known.find(
    (shorter) => isForm(shorter) && sha.startsWith(shorter) && beginningWith(known, shorter).length === 1,
  );
}

function isForm(sha: string): boolean {
  return isHex(sha) && sha.length >= leastDigits;
}

function beginningWith(known: readonly string[], digits: string): string[] {
  return known.filter((one) => one.startsWith(digits) && isHex(one));
}

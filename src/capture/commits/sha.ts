import type { Sql } from "../../store/sql.ts";

/*
 * A short and a long form of a sha are one commit as long as nothing makes that doubtful: both are hex of at least
 * seven digits, and the short one begins exactly one commit.
 */

const leastDigits = 7;

export function isHex(sha: string): boolean {
  return /^[0-9a-f]+$/u.test(sha);
}

/** The stored commit that a sha means: itself, its only longer form, or a shorter form that begins no other. */
export async function sameCommit(sql: Sql, sha: string): Promise<string | undefined> {
  const [exact] = await sql.all("SELECT 1 FROM commits WHERE sha = ?", [sha]);
  if (exact !== undefined) return sha;
  if (!isHex(sha) || sha.length < leastDigits) return undefined;
  const [longer, another] = await beginningWith(sql, sha, 2);
  if (longer !== undefined) return another === undefined ? longer : undefined;
  for (const shorter of await beginningsOf(sql, sha)) {
    const begun = await beginningWith(sql, shorter, 2);
    if (begun.length === 1) return shorter;
  }
  return undefined;
}

/** Stored hex shas that begin with the digits, in their order. */
export async function beginningWith(sql: Sql, digits: string, limit: number): Promise<string[]> {
  const rows = await sql.all<{ sha: string }>(
    "SELECT sha FROM commits WHERE sha >= ?1 AND sha < ?1 || 'g' AND sha NOT GLOB '*[^0-9a-f]*' ORDER BY sha LIMIT ?2",
    [digits, limit],
  );
  return rows.map(({ sha }) => sha);
}

/** Stored shas that a longer one begins with, the longest first. */
async function beginningsOf(sql: Sql, sha: string): Promise<string[]> {
  const beginnings = Array.from({ length: Math.max(0, sha.length - leastDigits) }, (_, at) =>
    sha.slice(0, leastDigits + at),
  );
  const rows = await sql.all<{ sha: string }>(
    "SELECT sha FROM commits WHERE sha IN (SELECT value FROM json_each(?)) ORDER BY length(sha) DESC",
    [JSON.stringify(beginnings)],
  );
  return rows.map(({ sha: stored }) => stored);
}

import { firstColumn, type Sql } from "../../../store/sql.ts";
import { contentSimilarity } from "../../../text/similarity.ts";
import { liveSql } from "../live-sql.ts";
import type { Scope } from "./latest-texts.ts";

/*
 * Finds duplicates of texts that the search index cannot find: punctuation, single letters, underscores. Such
 * texts are rare and short, so the texts of the whole scope are compared in the database.
 */

interface Text extends Scope {
  readonly content: string;
  readonly now: number;
}

const maxHolding = 400;
/** The characters that trim() removes. */
const blanks =
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
/** A change of case may multiply the bytes of a text by at most this. */
const caseFactor = 3;

const latestOfScope = `SELECT id, content FROM memories
  WHERE project_key IS ? AND agent_id IS ? AND ${liveSql("?")}`;

/** The latest memories of a scope whose text equals one that has no words. */
export async function latestWithoutWords(sql: Sql, text: Text): Promise<string[]> {
  const { projectKey, agentId, now, content } = text;
  const bytes = Buffer.byteLength(content.trim());
  // SQLite only knows the case of ASCII letters, so it preselects texts of about the same length.
  const rows = await sql.all<{ id: string; content: string }>(
    `${latestOfScope} AND length(CAST(trim(content, ?) AS BLOB)) BETWEEN ? AND ?`,
    [projectKey, agentId, now, blanks, Math.floor(bytes / caseFactor), bytes * caseFactor],
  );
  return rows.filter((row) => contentSimilarity(row.content, content) === 1).map(({ id }) => id);
}

/** The newest of the latest memories of a scope that contain any of these tokens. */
export async function latestHolding(
  sql: Sql,
  { projectKey, agentId, now }: Text,
  tokens: readonly string[],
): Promise<string[]> {
  return firstColumn(
    sql,
    `${latestOfScope} AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(lower(content), value))
     ORDER BY created_at DESC LIMIT ${maxHolding}`,
    [projectKey, agentId, now, JSON.stringify(tokens)],
  );
}

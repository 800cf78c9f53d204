import type { Sql } from "../store/sql.ts";
import { unspacedScripts } from "../text/scripts.ts";
import type { SearchHit } from "./hits.ts";
import { isInScope, type Scoped, type SearchScope } from "./scope.ts";

/** It reads texts, so it looks at so many of the newest documents. */
const documentsRead = 20_000;
const candidatesRead = 500;
const longestLiteral = 200;

interface LiteralRow extends Scoped {
  readonly id: number;
  readonly ref: string;
  readonly sessionId: string | null;
  readonly importance: number;
  readonly hiddenAfter: number | null;
  readonly text: string;
}

/**
 * What has the query in it letter by letter, newest first. It is for queries of which the index knows no word: `C#`, an
 * emoji, a single character, a word of a script that puts no spaces between words.
 */
export async function literalSearch(
  sql: Sql,
  query: string,
  scope: SearchScope,
  limit: number,
): Promise<SearchHit[]> {
  const wanted = query.trim();
  if (wanted === "" || wanted.length > longestLiteral) return [];
  const rows = await sql.all<LiteralRow>(
    `SELECT id, kind, ref, session_id AS sessionId, created_at AS createdAt, importance, project_key AS projectKey,
       agent_id AS agentId, hidden_after AS hiddenAfter, text
     FROM (SELECT *, title || char(10) || body || char(10) || files AS text
       FROM (SELECT * FROM documents ORDER BY id DESC LIMIT ?))
     WHERE text LIKE ? ESCAPE '\\' ORDER BY id DESC LIMIT ?`,
    [documentsRead, `%${wanted.replace(/[\\%_]/g, "\\$&")}%`, candidatesRead],
  );
  const asWritten = wholePattern(wanted);
  return rows
    .filter((row) => isInScope(scope, row) && asWritten.test(row.text))
    .slice(0, limit)
    .map(({ id, kind, ref, sessionId, createdAt, importance }, at) => ({
      id,
      kind,
      ref,
      sessionId,
      createdAt,
      importance,
      score: 1 / (1 + at),
      coverage: 1,
    }));
}

const spacelessScripts = `${unspacedScripts}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}`;

/** `x` is not meant to find every word with an x in it; where words have no spaces between them, any place will do. */
function wholePattern(wanted: string): RegExp {
  const letter = `(?![${spacelessScripts}])[\\p{L}\\p{N}]`;
  const startsWord = new RegExp(`^${letter}`, "u").test(wanted) ? "(?<![\\p{L}\\p{N}])" : "";
  const endsWord = new RegExp(`${letter}$`, "u").test(wanted) ? "(?![\\p{L}\\p{N}])" : "";
  const literal = wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`${startsWord}${literal}${endsWord}`, "iu");
}

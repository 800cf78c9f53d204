import type { Sql } from "../store/sql.ts";
import { unspacedScripts } from "../text/scripts.ts";
import type { SearchHit } from "./hits.ts";
import { within } from "./match-text.ts";
import { isInScope, type Scoped, type SearchScope, scopeGroups } from "./scope.ts";

/** What follows reads rows and not the index, so it looks at so many of the newest. */
const documentsRead = 20_000;
const candidatesRead = 500;
const longestLiteral = 200;

type FoundRow = Omit<SearchHit, "score" | "coverage"> & Scoped & { readonly hiddenAfter: number | null };

const columns = `id, kind, ref, session_id AS sessionId, created_at AS createdAt, importance,
  project_key AS projectKey, agent_id AS agentId, hidden_after AS hiddenAfter`;

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
  const rows = await sql.all<FoundRow & { readonly text: string }>(
    `SELECT ${columns}, text
     FROM (SELECT *, title || char(10) || body || char(10) || files AS text
       FROM (SELECT * FROM documents ORDER BY id DESC LIMIT ?))
     WHERE text LIKE ? ESCAPE '\\' ORDER BY id DESC LIMIT ?`,
    [documentsRead, `%${wanted.replace(/[\\%_]/g, "\\$&")}%`, candidatesRead],
  );
  const asWritten = wholePattern(wanted);
  return inOrder(rows.filter((row) => isInScope(scope, row) && asWritten.test(row.text)).slice(0, limit));
}

/** What happened in the span that the scope names, newest first. */
export async function spanSearch(sql: Sql, scope: SearchScope, limit: number): Promise<SearchHit[]> {
  const rows = await sql.all<FoundRow>(
    `SELECT ${columns}
     FROM (SELECT rowid AS row FROM documents_fts WHERE documents_fts MATCH ? ORDER BY rowid DESC LIMIT ?)
     CROSS JOIN documents ON documents.id = row WHERE created_at BETWEEN ? AND ?
     ORDER BY created_at DESC, id DESC`,
    [within([], scopeGroups(scope)), documentsRead, scope.since ?? 0, scope.until ?? Number.MAX_SAFE_INTEGER],
  );
  return inOrder(rows.filter((row) => isInScope(scope, row)).slice(0, limit));
}

function inOrder(rows: readonly FoundRow[]): SearchHit[] {
  return rows.map(({ id, kind, ref, sessionId, createdAt, importance }, at) => ({
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

/** Whether a query has no two letters or digits together of a script that puts spaces between words. */
export function isWordless(query: string): boolean {
  return !new RegExp(`(?:(?![${spacelessScripts}])[\\p{L}\\p{N}]){2}`, "u").test(query);
}

/** `x` is not meant to find every word with an x in it; where words have no spaces between them, any place will do. */
function wholePattern(wanted: string): RegExp {
  const letter = `(?![${spacelessScripts}])[\\p{L}\\p{N}]`;
  const startsWord = new RegExp(`^${letter}`, "u").test(wanted) ? "(?<![\\p{L}\\p{N}])" : "";
  const endsWord = new RegExp(`${letter}$`, "u").test(wanted) ? "(?![\\p{L}\\p{N}])" : "";
  const literal = wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`${startsWord}${literal}${endsWord}`, "iu");
}

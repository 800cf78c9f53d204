import { chunksOf } from "../../store/chunks.ts";
import type { Sql, SqlValue } from "../../store/sql.ts";
import { type CalendarDate, datePattern, dateTokens } from "../../text/date-spellings.ts";
import { scriptPattern } from "../../text/script-pattern.ts";
import type { SearchHit } from "../hits.ts";
import { isInScope, type Scoped, type SearchScope, scopeGroups } from "../scope.ts";
import type { SearchQuestion } from "../search-streams.ts";
import { quoted, within } from "../words/match-text.ts";
import { idsOf } from "./candidates.ts";
import { formsInText, longestLiteral, wholePattern } from "./literal-places.ts";

/** These searches read the rows of documents, so they look only at this many of the newest. */
const documentsRead = 20_000;
const textsAtOnce = 500;

type FoundRow = Omit<SearchHit, "score" | "coverage"> & Scoped;

const columns = `id, kind, ref, session_id AS sessionId, created_at AS createdAt, importance,
  project_key AS projectKey, agent_id AS agentId, hidden_after AS hiddenAfter`;

/** All text of a document; title, body and each concept and file are on lines of their own. */
const textOf = `title || char(10) || body || ${linesOf("concepts")} || ${linesOf("files")}`;

function linesOf(list: "concepts" | "files"): string {
  return `CASE ${list} WHEN '[]' THEN ''
    ELSE char(10) || (SELECT group_concat(value, char(10)) FROM json_each(documents.${list})) END`;
}

/**
 * Documents that contain the query literally, ignoring case, newest first. For queries that have no word in the index:
 * `C#`, an emoji, a single character, a word of a script without spaces. `words`: index tokens that a document must
 * also contain, so that fewer documents have to be read.
 */
export async function literalSearch(
  sql: Sql,
  { query, scope, limit }: SearchQuestion,
  words: readonly string[] = [],
): Promise<SearchHit[]> {
  const wanted = query.trim();
  if (wanted === "" || wanted.length > longestLiteral) return [];
  const newest = await newestInside(sql, scope, words.map(quoted));
  const asWritten = wholePattern(wanted);
  const forms = formsInText(wanted).filter((form) => asWritten.test(form));
  const ids = await idsOf(
    sql,
    `SELECT id ${newest.text} AND (${forms.map(() => `${textOf} LIKE ? ESCAPE '\\'`).join(" OR ")})
     ORDER BY id DESC`,
    [...newest.args, ...forms.map((form) => `%${form.replace(/[\\%_]/g, "\\$&")}%`)],
  );
  return withPattern(sql, ids, asWritten, { scope, limit });
}

/** Documents that contain a date in any of its spellings, newest first. */
export async function dateSearch(
  sql: Sql,
  date: CalendarDate,
  { scope, limit }: Pick<SearchQuestion, "scope" | "limit">,
): Promise<SearchHit[]> {
  const spelt = dateTokens(date).map((tokens) => within(tokens.map(quoted), []));
  const newest = await newestInside(sql, scope, [`((${spelt.join(") OR (")}))`]);
  const ids = await idsOf(sql, `SELECT id ${newest.text} ORDER BY id DESC`, newest.args);
  return withPattern(sql, ids, datePattern(date), { scope, limit });
}

async function withPattern(
  sql: Sql,
  ids: readonly number[],
  pattern: RegExp,
  { scope, limit }: Pick<SearchQuestion, "scope" | "limit">,
): Promise<SearchHit[]> {
  const found: FoundRow[] = [];
  // Nearly all texts may contain a letter, and few of them as a word; so they are read until enough are found.
  for (const some of chunksOf(ids, textsAtOnce)) {
    const rows = await sql.all<FoundRow & { readonly text: string }>(
      `SELECT ${columns}, ${textOf} AS text FROM documents
       WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC`,
      [JSON.stringify(some)],
    );
    found.push(...rows.filter((row) => isInScope(scope, row) && pattern.test(row.text)));
    if (found.length >= limit) break;
  }
  return inOrder(found.slice(0, limit));
}

/** Documents that contain the query as it is written, then those that contain it without its outer punctuation. */
export async function wordlessSearch(sql: Sql, question: SearchQuestion): Promise<SearchHit[]> {
  const { query, limit } = question;
  const asWritten = await literalSearch(sql, question);
  const unmarked = query.replace(outerMarks(query), "");
  if (unmarked === query.trim() || !namesAnything(unmarked).test(unmarked)) return asWritten;
  const bare = await literalSearch(sql, { ...question, query: unmarked });
  return oneBehindAnother([...asWritten, ...bare], limit);
}

const outerMarks = scriptPattern(
  "^[\\s\\p{Ps}\\p{Pi}\"'`¿¡]+|[\\s\\p{Pe}\\p{Pf}\"'`?!.,:;…？！。、，：；]+$",
  "g",
);
const namesAnything = scriptPattern(String.raw`[\p{L}\p{N}\p{Extended_Pictographic}]`);

/** Documents created in the scope's span of time, newest first. */
export async function spanSearch(
  sql: Sql,
  { scope, limit }: Pick<SearchQuestion, "scope" | "limit">,
): Promise<SearchHit[]> {
  const newest = await newestInside(sql, scope);
  const rows = await sql.all<FoundRow>(
    `SELECT ${columns} ${newest.text} ORDER BY created_at DESC, id DESC`,
    newest.args,
  );
  return inOrder(rows.filter((row) => isInScope(scope, row)).slice(0, limit));
}

/**
 * FROM and WHERE clauses that select the newest documents with all the matches and approximately in the scope: the
 * caller has to check the rows with `isInScope`.
 */
async function newestInside(
  sql: Sql,
  scope: SearchScope,
  matches: readonly string[] = [],
): Promise<{ readonly text: string; readonly args: readonly SqlValue[] }> {
  const groups = await scopeGroups(sql, scope);
  const match = within(matches, groups);
  const newest =
    match === ""
      ? "SELECT id AS row FROM documents ORDER BY id DESC LIMIT ?"
      : "SELECT rowid AS row FROM documents_fts WHERE documents_fts MATCH ? ORDER BY rowid DESC LIMIT ?";
  return {
    text: `FROM (${newest}) CROSS JOIN documents ON documents.id = row
     WHERE created_at BETWEEN ? AND ? AND (hidden_after IS NULL OR hidden_after > ?)`,
    args: [
      ...(match === "" ? [] : [match]),
      documentsRead,
      scope.since ?? Number.MIN_SAFE_INTEGER,
      scope.until ?? Number.MAX_SAFE_INTEGER,
      scope.now,
    ],
  };
}

function inOrder(rows: readonly FoundRow[]): SearchHit[] {
  return rows.map(({ id, kind, ref, sessionId, createdAt, importance }, at) => ({
    id,
    kind,
    ref,
    sessionId,
    createdAt,
    importance,
    score: scoreAt(at),
    coverage: 1,
  }));
}

/** The first hits, each document once, with scores that descend with their places. */
export function oneBehindAnother(hits: readonly SearchHit[], limit: number): SearchHit[] {
  return [...new Map(hits.map((hit) => [hit.id, hit])).values()]
    .slice(0, limit)
    .map((hit, at) => ({ ...hit, score: scoreAt(at) }));
}

function scoreAt(place: number): number {
  return 1 / (1 + place);
}

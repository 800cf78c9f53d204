import { textsIn } from "../../store/json-columns.ts";
import type { Sql } from "../../store/sql.ts";
import { indexTokens } from "../../text/tokens.ts";
import { isInScope, type Scoped, type SearchScope, scopeGroups } from "../scope.ts";
import { quoted, within } from "../words/match-text.ts";

/** A document as far as those want to know it who ask what touched a file. */
export interface TouchingDocument {
  readonly id: number;
  readonly kind: string;
  readonly ref: string;
  readonly sessionId: string | null;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly type: string;
  readonly title: string;
  /** 0 to 1. */
  readonly importance: number;
  readonly concepts: readonly string[];
  readonly files: readonly string[];
}

/**
 * The newest documents that name a file of this path's base name, in whatever folder: which of them mean the same file
 * is for the caller to tell. Of a name that many folders have, those that name its folder too are not lost among the
 * others. Names without a word of the index (`bin/do`, `src/C`) are looked for among the newest documents, and
 * those that name the folder. Newest first by when they were written.
 */
export async function documentsTouching(
  sql: Sql,
  path: string,
  scope: SearchScope,
  limit: number,
): Promise<TouchingDocument[]> {
  const [baseName = "", folder, ...above] = path.split("/").reverse();
  if (!isIndexed(baseName)) {
    const holding = JSON.stringify(baseName).slice(1);
    const folders = [folder ?? "", ...above].filter(isIndexed).slice(0, 1);
    const below = await newestWith(sql, { column: "files", texts: folders, holding }, scope, unindexedProbe);
    // A path may have been told without its folders.
    const bare = await newestWith(sql, { column: "files", texts: [], holding }, scope, unindexedProbe);
    return newestOfBoth(below, bare).slice(0, limit);
  }
  const anywhere = await newestWith(sql, { column: "files", texts: [baseName] }, scope, limit);
  if (!anywhere.isCutOff || folder === undefined) return anywhere.found;
  const there = await newestWith(sql, { column: "files", texts: [baseName, folder] }, scope, limit);
  return newestOfBoth(anywhere, there);
}

function newestOfBoth(a: Newest, b: Newest): TouchingDocument[] {
  const both = new Map([...a.found, ...b.found].map((document) => [document.id, document]));
  return [...both.values()].sort((one, other) => other.id - one.id);
}

/** The newest documents that have a word in their title, newest first by when they were written. */
export async function documentsTitled(
  sql: Sql,
  word: string,
  scope: SearchScope,
  limit: number,
): Promise<TouchingDocument[]> {
  return (await newestWith(sql, { column: "title", texts: [word] }, scope, limit)).found;
}

/** A tag in whatever case, as the newest of the documents that could bear it has it; undefined where none does. */
export async function knownConcept(
  sql: Sql,
  concept: string,
  scope: SearchScope,
): Promise<string | undefined> {
  const { found } = isIndexed(concept)
    ? await newestWith(sql, { column: "concepts", texts: [concept] }, scope, conceptProbe)
    : await newestWith(
        sql,
        { column: "concepts", texts: [], holding: JSON.stringify(concept) },
        scope,
        unindexedProbe,
      );
  const wanted = concept.toLowerCase();
  return found.flatMap(({ concepts }) => concepts).find((tag) => tag.toLowerCase() === wanted);
}

const conceptProbe = 20;
/** How many documents are looked through for a name that the index has no word of. */
const unindexedProbe = 2_000;

/** Stop words, single characters and signs are not in the index. */
function isIndexed(name: string): boolean {
  return indexTokens(name).length > 0;
}

interface Asked {
  readonly column: "files" | "concepts" | "title";
  /** Of each the first word is in the column. */
  readonly texts: readonly string[];
  /** What the column's JSON holds, in either case. */
  readonly holding?: string;
}

/** Its lists are JSON. */
type TouchingRow = Omit<TouchingDocument, "concepts" | "files"> &
  Scoped & { readonly concepts: string; readonly files: string };

interface Newest {
  readonly found: TouchingDocument[];
  /** There are more than were asked for. */
  readonly isCutOff: boolean;
}

async function newestWith(
  sql: Sql,
  { column, texts, holding = "" }: Asked,
  scope: SearchScope,
  limit: number,
): Promise<Newest> {
  // A compound comes first of its tokens, whole.
  const tokens = texts.flatMap((text) => indexTokens(text).slice(0, 1));
  const matches = tokens.map((token) => `${column} : ${quoted(token)}`);
  const match = within(matches, await scopeGroups(sql, scope));
  if (match === "") return { found: [], isCutOff: false };
  const rows = await sql.all<TouchingRow>(
    `SELECT id, kind, ref, session_id AS sessionId, created_at AS createdAt, type, title, importance, concepts, files,
       project_key AS projectKey, agent_id AS agentId, hidden_after AS hiddenAfter
     FROM (SELECT rowid AS row FROM documents_fts WHERE documents_fts MATCH ? ORDER BY rowid DESC LIMIT ?)
     CROSS JOIN documents ON documents.id = row
     WHERE ? = '' OR instr(lower(${column}), lower(?)) > 0 ORDER BY row DESC`,
    [match, limit, holding, holding],
  );
  const found = rows
    .filter((row) => isInScope(scope, row))
    .map(({ projectKey: _key, agentId: _agent, hiddenAfter: _hidden, ...row }) => ({
      ...row,
      concepts: textsIn(row.concepts),
      files: textsIn(row.files),
    }));
  return { found, isCutOff: rows.length === limit };
}

import { textsIn } from "../../store/json-columns.ts";
import type { Sql } from "../../store/sql.ts";
import { indexTokens } from "../../text/tokens.ts";
import { isInScope, type Scoped, type SearchScope, scopeGroups } from "../scope.ts";
import { quoted, within } from "../words/match-text.ts";

/** A document that names a file, or has a word in its title. */
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
 * The newest documents that name a file with this path's base name, in any folder; the caller has to decide which of
 * them mean the same file. If more than `limit` name such a file, the newest of those that also name the path's folder
 * are added. A base name without an index token (`bin/do`, `src/C`) is searched for in the newest documents, and in the
 * newest ones that name the folder. Sorted by id, the newest first.
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
    // The document may name the file without its folder.
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

/** The newest documents with a word in their title, sorted by id, the newest first. */
export async function documentsTitled(
  sql: Sql,
  word: string,
  scope: SearchScope,
  limit: number,
): Promise<TouchingDocument[]> {
  return (await newestWith(sql, { column: "title", texts: [word] }, scope, limit)).found;
}

/** The spelling of a tag in the newest document that has it in any case; undefined if none of those searched has it. */
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
/** How many documents are searched for a name without an index token. */
const unindexedProbe = 2_000;

/** False for names of stop words, single characters and signs only: they have no index tokens. */
function isIndexed(name: string): boolean {
  return indexTokens(name).length > 0;
}

interface Asked {
  readonly column: "files" | "concepts" | "title";
  /** The first index token of each must be in the column. */
  readonly texts: readonly string[];
  /** Text that the column's JSON must contain, ignoring case. */
  readonly holding?: string;
}

/** A row as it is read: the lists are JSON. */
type TouchingRow = Omit<TouchingDocument, "concepts" | "files"> &
  Scoped & { readonly concepts: string; readonly files: string };

interface Newest {
  readonly found: TouchingDocument[];
  /** There may be more than `limit`. */
  readonly isCutOff: boolean;
}

async function newestWith(
  sql: Sql,
  { column, texts, holding = "" }: Asked,
  scope: SearchScope,
  limit: number,
): Promise<Newest> {
  // The first token of a compound is the whole compound.
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

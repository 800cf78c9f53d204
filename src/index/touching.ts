import type { Sql } from "../store/sql.ts";
import { indexTokens } from "../text/tokens.ts";
import { parseStrings } from "./documents.ts";
import { quoted, within } from "./match-text.ts";
import { isInScope, type SearchScope, scopeGroups } from "./scope.ts";

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
 * others. Newest first by when they were written.
 */
export async function documentsTouching(
  sql: Sql,
  path: string,
  scope: SearchScope,
  limit: number,
): Promise<TouchingDocument[]> {
  const [baseName = "", folder] = path.split("/").reverse();
  const anywhere = await newestWith(sql, "files", [baseName], scope, limit);
  if (!anywhere.isCutOff || folder === undefined) return anywhere.found;
  const there = await newestWith(sql, "files", [baseName, folder], scope, limit);
  const both = new Map([...anywhere.found, ...there.found].map((document) => [document.id, document]));
  return [...both.values()].sort((a, b) => b.id - a.id);
}

/** Whether any of the newest documents that could bear a tag does. */
export async function isKnownConcept(sql: Sql, concept: string, scope: SearchScope): Promise<boolean> {
  const { found } = await newestWith(sql, "concepts", [concept], scope, conceptProbe);
  return found.some(({ concepts }) => concepts.includes(concept));
}

const conceptProbe = 20;

type TouchingRow = Omit<TouchingDocument, "concepts" | "files"> & {
  readonly concepts: string;
  readonly files: string;
  readonly projectKey: string | null;
  readonly agentId: string | null;
  readonly hiddenAfter: number | null;
};

interface Newest {
  readonly found: TouchingDocument[];
  /** There are more than were asked for. */
  readonly isCutOff: boolean;
}

async function newestWith(
  sql: Sql,
  column: "files" | "concepts",
  texts: readonly string[],
  scope: SearchScope,
  limit: number,
): Promise<Newest> {
  // A compound comes first of its tokens, whole; what comes without any token is not in the index.
  const tokens = texts.flatMap((text) => indexTokens(text).slice(0, 1));
  if (tokens.length === 0) return { found: [], isCutOff: false };
  const matches = tokens.map((token) => `${column} : ${quoted(token)}`);
  const rows = await sql.all<TouchingRow>(
    `SELECT id, kind, ref, session_id AS sessionId, created_at AS createdAt, type, title, importance, concepts, files,
       project_key AS projectKey, agent_id AS agentId, hidden_after AS hiddenAfter
     FROM (SELECT rowid AS row FROM documents_fts WHERE documents_fts MATCH ? ORDER BY rowid DESC LIMIT ?)
     CROSS JOIN documents ON documents.id = row ORDER BY row DESC`,
    [within(matches, scopeGroups(scope)), limit],
  );
  const found = rows
    .filter((row) => isInScope(scope, row))
    .map(({ projectKey: _key, agentId: _agent, hiddenAfter: _hidden, ...row }) => ({
      ...row,
      concepts: parseStrings(row.concepts),
      files: parseStrings(row.files),
    }));
  return { found, isCutOff: rows.length === limit };
}

import type { Sql, SqlValue } from "../../store/sql.ts";
import type { TimeSpan } from "../scope.ts";
import { fieldNames } from "../words/forward.ts";
import { anyOf, quoted, within } from "../words/match-text.ts";
import { documentFrequencies } from "../words/term-frequency.ts";
import { fieldWeights } from "./bm25f.ts";

/**
 * Selects the documents to score for a query. Exact scoring reads a document's forward index (2 to 4 µs), which is
 * affordable for hundreds of documents; but a word may occur in a hundred thousand. Three steps limit the work:
 *
 * 1. Take the newest matches in the scope without scoring them: FTS5 walks the posting lists from the end and stops. If
 *    these are all matches, all are candidates. This is exact, and the usual case for selective words.
 * 2. Otherwise FTS5's own bm25() selects the best. It costs 0.6 µs per match, so it is used for some thousands.
 * 3. If the words have more matches than that, only documents are searched for in which the words weigh most: all words
 *    are in fields above the body; or, among the newest matches, all words are there and one is above the body. The
 *    newest matches are added. Of the first ten of a full ranking this keeps eight for frequent words in 100,000
 *    documents, and more than nine in 10,000.
 */
export async function findCandidates(sql: Sql, sought: Sought, wanted: number): Promise<FoundIds> {
  const scope = await narrowGroups(sql, sought);
  const isConfined = scope.length === sought.scope.length;
  const room = isConfined ? wanted : Math.ceil(wanted / broadShare);
  const { ids, areAll } = await findIn(sql, { ...sought, scope }, room);
  return { ids, mayMissSome: !isConfined && !areAll };
}

/** Like `findCandidates`, but always restricted to the whole scope, whatever that costs. */
export async function findConfined(sql: Sql, sought: Sought, wanted: number): Promise<readonly number[]> {
  return (await findIn(sql, sought, wanted)).ids;
}

interface FoundIds {
  readonly ids: readonly number[];
  /** The search ignored a part of the scope and did not take all matches, so most of these may be outside the scope. */
  readonly mayMissSome: boolean;
}

async function findIn(
  sql: Sql,
  sought: Sought,
  room: number,
): Promise<{ ids: readonly number[]; areAll: boolean }> {
  const { terms, scope, time } = sought;
  const words = terms.map(({ term }) => term);
  const probed = Math.max(probeSize, room);
  const any = within([anyOf(words)], scope);
  const newest = await newestMatches(sql, any, probed + 1, time);
  if (newest.length <= probed) return { ids: newest, areAll: true };
  if (windowStart(newest) === 0) {
    return { ids: await bestMatches(sql, any, 0, Math.max(bestSize, room), time), areAll: false };
  }
  const heaviest = await heaviestMatches(sql, sought, room);
  const ids = [...new Set([...heaviest, ...newest.slice(0, Math.max(newestSize, room))])];
  return { ids, areAll: false };
}

export interface Sought {
  /** Rarest first. */
  readonly terms: readonly { readonly term: string; readonly documents: number }[];
  /** Groups of words of the `scope` column; a document needs one word of each group. */
  readonly scope: readonly (readonly string[])[];
  /** Restricts matches to exact times; the scope's groups only restrict them to months. */
  readonly time: TimeSpan | undefined;
  /** Size of the collection. */
  readonly documents: number;
}

const probeSize = 400;
const bestSize = 200;
const newestSize = 50;
const rankedMatches = 4_000;

/**
 * The id after which there are about `rankedMatches` matches, estimated from the density of the newest ones; 0 if there
 * are presumably no more than that.
 */
function windowStart(newest: readonly number[]): number {
  const last = newest[0] ?? 0;
  const span = (last - (newest.at(-1) ?? 0)) * (rankedMatches / newest.length);
  return Math.max(0, Math.floor(last - span));
}

async function heaviestMatches(sql: Sql, { terms, scope, time }: Sought, room: number): Promise<number[]> {
  const probed = Math.max(probeSize, room);
  const { strict, loose } = heavyUses(terms);
  const found = await newestMatches(sql, within([strict], scope), probed + 1, time);
  if (found.length > probed) {
    return bestMatches(sql, within([strict], scope), windowStart(found), Math.max(bestSize, room), time);
  }
  if (loose === strict || found.length >= bestSize) return found;
  return [...found, ...(await newestMatches(sql, within([loose], scope), probed, time))];
}

/**
 * Match expressions for documents in which the words weigh most (see step 3). Both also accept the rarest word alone
 * above the body, unless that is frequent itself.
 */
function heavyUses(terms: Sought["terms"]): { strict: string; loose: string } {
  const words = terms.map(({ term }) => term);
  const above = (some: readonly string[]) => `{${fieldsAboveBody}} : ${anyOf(some)}`;
  const allAbove = words.map((word) => above([word])).join(" AND ");
  const oneAbove = [above(words), ...words.map(quoted)].join(" AND ");
  const [rarest] = terms;
  const alone =
    rarest !== undefined && rarest.documents <= rankedMatches ? `${above([rarest.term])} OR ` : "";
  const strict = `(${alone}(${allAbove}))`;
  return { strict, loose: words.length > 1 ? `(${alone}(${oneAbove}))` : strict };
}

/**
 * Matching a group of the scope reads its whole posting list, and twice with bm25() (4 ms for 100,000 documents). So a
 * group that admits at least this share of all documents is ignored. The caller removes the documents outside the
 * scope, and calls `findConfined` if too few are left.
 */
const broadShare = 0.8;

async function narrowGroups(sql: Sql, { scope, documents }: Sought): Promise<Sought["scope"]> {
  if (scope.length === 0) return [];
  const frequencies = await documentFrequencies(sql, scope.flat(), documents);
  return scope.filter((words) => {
    const passing = words.reduce((sum, word) => sum + (frequencies.get(word) ?? 0), 0);
    return passing < broadShare * documents;
  });
}

/** Ids of the documents that match, the newest first. */
export async function newestMatches(
  sql: Sql,
  match: string,
  limit: number,
  time?: TimeSpan,
): Promise<number[]> {
  const rows = rowsMatching(match, time);
  return idsOf(
    sql,
    `SELECT documents_fts.rowid AS id ${rows.text} ORDER BY documents_fts.rowid DESC LIMIT ?`,
    [...rows.args, limit],
  );
}

/** The last column, `scope`, has weight 0. */
const columnWeights = [...fieldNames.map((field) => fieldWeights[field]), 0].join(", ");
const fieldsAboveBody = fieldNames.filter((field) => field !== "body").join(" ");

async function bestMatches(
  sql: Sql,
  match: string,
  after: number,
  limit: number,
  time: TimeSpan | undefined,
): Promise<number[]> {
  const rows = rowsMatching(match, time);
  return idsOf(
    sql,
    `SELECT documents_fts.rowid AS id, bm25(documents_fts, ${columnWeights}) AS score ${rows.text}
    AND documents_fts.rowid > ? ORDER BY score LIMIT ?`,
    [...rows.args, after, limit],
  );
}

/** The FROM and WHERE clauses. Rows of `documents` are read only to check times, which takes a microsecond each. */
function rowsMatching(match: string, time: TimeSpan | undefined): { text: string; args: SqlValue[] } {
  if (time === undefined) return { text: "FROM documents_fts WHERE documents_fts MATCH ?", args: [match] };
  return {
    text: `FROM documents_fts CROSS JOIN documents ON documents.id = documents_fts.rowid
    WHERE documents_fts MATCH ? AND created_at BETWEEN ? AND ?`,
    args: [match, time.since, time.until],
  };
}

/** Reads the ids as one text: passing them row by row through the driver would take longer than finding them. */
export async function idsOf(sql: Sql, select: string, args: readonly SqlValue[]): Promise<number[]> {
  const [row] = await sql.all<{ ids: string | null }>(
    `SELECT group_concat(id) AS ids FROM (${select})`,
    args,
  );
  const ids = row?.ids ?? "";
  return ids === "" ? [] : ids.split(",").map(Number);
}

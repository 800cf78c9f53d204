import type { Sql, SqlValue } from "../../store/sql.ts";
import type { TimeSpan } from "../scope.ts";
import { fieldNames } from "../words/forward.ts";
import { anyOf, quoted, within } from "../words/match-text.ts";
import { documentFrequencies } from "../words/term-frequency.ts";
import { fieldWeights } from "./bm25f.ts";

/**
 * Which documents a query looks at. Exact ranking reads a document's forward index (2 to 4 µs), so it is for
 * hundreds, while a word may stand in a hundred thousand. Three steps bound the work whatever the words are:
 *
 * 1. The newest matches inside the scope, without any score: FTS5 walks the lists from the end and stops. Few
 *    enough, and all of them are candidates: exact, and the usual case for words that tell something.
 * 2. Otherwise FTS5's own bm25() picks the best. It costs 0.6 µs a match, so it is for some thousands.
 * 3. Words that stand in more documents than that are asked for where they weigh most: all of them above the
 *    body, or, among the newest, all of them and one above the body. Of the first ten of a full ranking this keeps
 *    eight for frequent words in 100,000 documents, and more than nine in 10,000.
 */
export async function findCandidates(sql: Sql, sought: Sought, wanted: number): Promise<FoundIds> {
  const scope = await narrowGroups(sql, sought);
  const isConfined = scope.length === sought.scope.length;
  const room = isConfined ? wanted : Math.ceil(wanted / broadShare);
  const { ids, areAll } = await findIn(sql, { ...sought, scope }, room);
  return { ids, mayMissSome: !isConfined && !areAll };
}

/** The same, inside the whole scope whatever that costs. */
export async function findConfined(sql: Sql, sought: Sought, wanted: number): Promise<readonly number[]> {
  return (await findIn(sql, sought, wanted)).ids;
}

interface FoundIds {
  readonly ids: readonly number[];
  /** They were not confined to all of the scope, and others hold the words too: most may lie outside. */
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
  /** Groups of words of the `scope` column; of each group one must be there. */
  readonly scope: readonly (readonly string[])[];
  /** Confines the matches to their days, of which the groups know the months alone. */
  readonly time: TimeSpan | undefined;
  /** Size of the collection. */
  readonly documents: number;
}

const probeSize = 400;
const bestSize = 200;
const newestSize = 50;
const rankedMatches = 4_000;

/** The row after which about `rankedMatches` matches are left, judged by how densely the newest stand; 0: all. */
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

/** Both let the rarest word stand alone above the body unless it is a frequent one too. */
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
 * A group of the scope costs its whole list, twice where bm25() counts it (4 ms for 100,000). One that lets most
 * documents through is left out; what is then too much, the caller leaves out, and asks again where too little is left.
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

/** Rows of the index that match, the newest first. */
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

/** The `scope` column, the last one, weighs nothing. */
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

/** What follows SELECT. Only where days count are rows looked at, a microsecond each. */
function rowsMatching(match: string, time: TimeSpan | undefined): { text: string; args: SqlValue[] } {
  if (time === undefined) return { text: "FROM documents_fts WHERE documents_fts MATCH ?", args: [match] };
  return {
    text: `FROM documents_fts CROSS JOIN documents ON documents.id = documents_fts.rowid
    WHERE documents_fts MATCH ? AND created_at BETWEEN ? AND ?`,
    args: [match, time.since, time.until],
  };
}

/** The ids of a statement's rows as one text: rows of one number each would take longer than the search for them. */
async function idsOf(sql: Sql, select: string, args: readonly SqlValue[]): Promise<number[]> {
  const [row] = await sql.all<{ ids: string | null }>(
    `SELECT group_concat(id) AS ids FROM (${select})`,
    args,
  );
  const ids = row?.ids ?? "";
  return ids === "" ? [] : ids.split(",").map(Number);
}

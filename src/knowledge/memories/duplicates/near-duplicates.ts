import { documentsSharing, readTextWords } from "../../../index/refinements/sharing.ts";
import type { SearchScope } from "../../../index/scope.ts";
import { firstRow, type Sql } from "../../../store/sql.ts";
import type { Store, Transaction } from "../../../store/store.ts";
import { compareTexts } from "../../../text/compare-texts.ts";
import { similarityTo, tokenSet } from "../../../text/similarity.ts";
import { termsOfTokens } from "../../../text/terms-of-tokens.ts";
import type { MemoryRow } from "../record.ts";
import { memoryRows } from "../rows.ts";
import { latestTextsOf, type Scope } from "./latest-texts.ts";
import { latestHolding, latestWithoutWords } from "./literal-duplicates.ts";

/*
 * Finds the memory that a new text is similar to. If the latest texts of its scope are cached, the cache
 * names the candidates inside the write transaction. Otherwise they are searched before the transaction, on
 * the read connection: inside it, each lookup in the full-text index would first flush its pending writes,
 * and everybody's writes would wait. Memories written since that search are then compared one by one inside
 * the transaction.
 */

/**
 * A text more similar than `supersedeAbove` is a new version; above `similarAbove` it is merely reported as
 * similar.
 */
export const supersedeAbove = 0.7;
export const similarAbove = 0.4;

const maxCandidates = 50;
/** How many candidates from the cache are read at a time; mostly the first batch decides. */
const confirmedAtOnce = 8;
/** The cache is dropped when more of its candidates than this turn out not to be the latest any more. */
const mostOutdated = 64;

export interface NewText extends Scope {
  readonly content: string;
  readonly now: number;
}

/** Memories that may be similar to a new text, as of the time of the search. */
export interface Candidates extends Scope {
  readonly words: ReadonlySet<string>;
  /** Undefined when the latest texts of the scope are cached and are to be asked in the transaction. */
  readonly ids: readonly string[] | undefined;
  /** The newest memory at the time of the search; undefined if there was none. */
  readonly last: LastMemory | undefined;
}

interface LastMemory {
  readonly row: number;
  readonly id: string;
}

/** Searches for candidates among the committed memories. */
export async function findCandidates(store: Store, newText: NewText): Promise<Candidates> {
  const { content, projectKey, agentId } = newText;
  const { sql } = store.read;
  const words = tokenSet(content);
  const latest = latestTextsOf(store);
  if (!latest.holds(newText)) await latest.miss(store, newText);
  // Read first, so that memories written during the search count as newer.
  const last = await firstRow<LastMemory>(
    sql,
    "SELECT rowid AS row, id FROM memories ORDER BY rowid DESC LIMIT 1",
  );
  const isHeld = words.size > 0 && latest.holds(newText);
  const ids = isHeld ? undefined : await searchCandidates(sql, newText);
  return { projectKey, agentId, words, ids, last };
}

/**
 * Candidates that the text would supersede are searched first and separately, so that the possibly many that
 * are merely similar cannot displace them.
 */
async function searchCandidates(sql: Sql, newText: NewText): Promise<readonly string[]> {
  const { content, projectKey, agentId, now } = newText;
  const terms = termsOfTokens(content);
  if (terms.size === 0) return latestWithoutWords(sql, newText);
  const scope: SearchScope = {
    kinds: ["memory"],
    projectKeys: projectKey === null ? [] : [projectKey],
    includeWithoutProject: projectKey === null,
    agent: agentId === null ? { includeOrphans: true } : { agentId, includeOrphans: false },
    now,
  };
  const words = await readTextWords(sql, [...terms.values()]);
  const found = new Set<string>();
  for (const above of [supersedeAbove, similarAbove]) {
    const sharing = await documentsSharing(sql, words, above, scope, maxCandidates);
    const untold = () => [...terms].filter(([, own]) => own.length === 0).map(([token]) => token);
    for (const id of sharing ?? (await latestHolding(sql, newText, untold()))) found.add(id);
  }
  return [...found];
}

/**
 * The latest memory of the same project and agent that is most similar to a text, and the similarity
 * (Jaccard). One below `similarAbove` may be missed.
 */
export async function mostSimilar(
  tx: Transaction,
  store: Store,
  newText: NewText,
  candidates: Candidates,
): Promise<{ row: MemoryRow; similarity: number } | undefined> {
  const alike =
    (await alikeAmongHeld(tx, store, newText, candidates)) ??
    (await alikeAmongCandidates(tx.sql, newText, candidates));
  const [closest] = [...alike].sort(byLikeness);
  if (closest === undefined) return undefined;
  const [row] = await memoryRows.select(tx.sql, "WHERE id = ?", [closest.id]);
  return row === undefined ? undefined : { row, similarity: closest.similarity };
}

interface Likeness {
  readonly id: string;
  readonly similarity: number;
  /** Similarity passes over short words, so that even 1 may be another text. */
  readonly isEqual: boolean;
}

/** Of equally similar ones the very same text comes first, then the newer one. */
function byLikeness(a: Likeness, b: Likeness): number {
  return b.similarity - a.similarity || Number(b.isEqual) - Number(a.isEqual) || compareTexts(b.id, a.id);
}

/** Undefined when the latest texts of the scope are not cached. */
async function alikeAmongHeld(
  tx: Transaction,
  store: Store,
  newText: NewText,
  { words }: Candidates,
): Promise<readonly Likeness[] | undefined> {
  if (words.size === 0) return undefined;
  const latest = latestTextsOf(store);
  const named = await latest.resembling(tx, newText, words, similarAbove);
  if (named === undefined) return undefined;
  if (named.length === 0) return [];
  const similarity = similarityTo(newText.content);
  let closest = 0;
  let outdated = 0;
  const alike: Likeness[] = [];
  for (let at = 0; at < named.length && closest <= (named[at]?.similarity ?? 0); at += confirmedAtOnce) {
    const some = named.slice(at, at + confirmedAtOnce);
    const rows = await tx.sql.all<{ id: string; content: string; hiddenAfter: number | null }>(
      `SELECT id, content, forget_after AS hiddenAfter FROM memories
       WHERE id IN (SELECT value FROM json_each(?)) AND is_latest = 1 AND project_key IS ? AND agent_id IS ?`,
      [JSON.stringify(some.map(({ id }) => id)), newText.projectKey, newText.agentId],
    );
    outdated += some.length - rows.length;
    for (const { id, content, hiddenAfter } of rows) {
      if (hiddenAfter !== null && hiddenAfter <= newText.now) continue;
      alike.push({ id, similarity: similarity(content), isEqual: content === newText.content });
    }
    closest = Math.max(closest, ...alike.map((one) => one.similarity));
  }
  if (outdated > mostOutdated) latest.clear();
  return alike;
}

async function alikeAmongCandidates(
  sql: Sql,
  newText: NewText,
  candidates: Candidates,
): Promise<readonly Likeness[]> {
  const { projectKey, agentId } = newText;
  const isOther = candidates.projectKey !== projectKey || candidates.agentId !== agentId;
  const ids = isOther ? undefined : candidates.ids;
  const { row: lastRow = 0, id: lastId = "" } = candidates.last ?? {};
  // Reads only the texts of the candidates: all but one of them are only compared. If the memory that was the newest
  // has been deleted since, a later one may have its row number, so all memories of the scope count as newer.
  const rows = await sql.all<{ id: string; content: string }>(
    `SELECT id, content FROM memories WHERE is_latest = 1 AND id IN (SELECT value FROM json_each(?1))
     UNION SELECT id, content FROM memories
     WHERE rowid > coalesce((SELECT rowid FROM memories WHERE rowid = ?2 AND id = ?5), 0)
       AND is_latest = 1 AND project_key IS ?3 AND agent_id IS ?4`,
    [JSON.stringify(ids ?? (await searchCandidates(sql, newText))), lastRow, projectKey, agentId, lastId],
  );
  const similarity = similarityTo(newText.content);
  return rows.map(({ id, content }) => ({
    id,
    similarity: similarity(content),
    isEqual: content === newText.content,
  }));
}

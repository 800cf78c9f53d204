import { keywordSearch } from "../../index/keyword.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { similarityTo, tokenSet } from "../../text/similarity.ts";
import type { MemoryRow } from "./record.ts";
import { memoryRows } from "./rows.ts";

/*
 * Which memory a new text resembles. The search for candidates runs before the write transaction, on the
 * connection for reading: inside the transaction every look into the full-text index would first flush what was
 * written to it, and everybody's writes would wait. What was written since is then compared one by one, inside.
 */

/** Above it a text is a new version of the one it resembles; above the lower one they are merely alike. */
export const supersedeAbove = 0.7;
export const similarAbove = 0.4;

const maxCandidates = 50;
const leastWords = 3;

export interface Newcomer {
  readonly content: string;
  readonly projectKey: string | null;
  readonly agentId: string | null;
  readonly now: number;
}

/** Memories that may resemble a newcomer, as far as they were committed when it came. */
export interface Sighting {
  readonly projectKey: string | null;
  readonly agentId: string | null;
  readonly ids: readonly string[];
  /** The newest row that was there. */
  readonly lastRow: number;
}

/** Looks for candidates among what is committed. */
export async function sightCandidates(sql: Sql, newcomer: Newcomer): Promise<Sighting> {
  const { content, projectKey, agentId, now } = newcomer;
  // Asked for first: what is written while the search runs then counts as newer.
  const last = await firstRow<{ row: number | null }>(sql, "SELECT max(rowid) AS row FROM memories");
  const words = tokenSet(content);
  const hits = await keywordSearch(
    sql,
    content,
    {
      kinds: ["memory"],
      projectKeys: projectKey === null ? [] : [projectKey],
      includeWithoutProject: projectKey === null,
      agent: agentId === null ? { includeOrphans: true } : { agentId, includeOrphans: false },
      now,
    },
    maxCandidates,
    // A text that shares more than seven tenths lacks less than three, so it holds one of that many rarest.
    { findBy: Math.max(leastWords, Math.floor((1 - supersedeAbove) * words.size) + 1), plain: true },
  );
  const ids = hits.map(({ ref }) => ref);
  if (words.size === 0) ids.push(...(await sameText(sql, newcomer)));
  return { projectKey, agentId, ids, lastRow: last?.row ?? 0 };
}

/** The latest memory of the same project and agent that resembles a text most, with their similarity (Jaccard). */
export async function mostSimilar(
  tx: Transaction,
  newcomer: Newcomer,
  sighted: Sighting,
): Promise<{ row: MemoryRow; similarity: number } | undefined> {
  const isOther = sighted.projectKey !== newcomer.projectKey || sighted.agentId !== newcomer.agentId;
  const { ids } = isOther ? await sightCandidates(tx.sql, newcomer) : sighted;
  // Reads no more of the candidates than their texts: all but one of them are only compared.
  const rows = await tx.sql.all<{ id: string; content: string }>(
    `SELECT id, content FROM memories WHERE is_latest = 1 AND id IN (SELECT value FROM json_each(?1))
     UNION SELECT id, content FROM memories
     WHERE rowid > ?2 AND is_latest = 1 AND project_key IS ?3 AND agent_id IS ?4 ORDER BY id DESC`,
    [JSON.stringify(ids), sighted.lastRow, newcomer.projectKey, newcomer.agentId],
  );
  const similarity = similarityTo(newcomer.content);
  const [closest] = rows
    .map(({ id, content }) => ({ id, similarity: similarity(content) }))
    .sort((a, b) => b.similarity - a.similarity);
  if (closest === undefined) return undefined;
  const [row] = await memoryRows.select(tx.sql, "WHERE id = ?", [closest.id]);
  return row === undefined ? undefined : { row, similarity: closest.similarity };
}

/** Texts without any word (punctuation, single letters) are not in the index; equal ones are found by equality. */
async function sameText(sql: Sql, { content, projectKey, agentId }: Newcomer): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(
    `SELECT id FROM memories
     WHERE is_latest = 1 AND project_key IS ? AND agent_id IS ? AND lower(trim(content)) = lower(trim(?)) LIMIT 1`,
    [projectKey, agentId, content],
  );
  return rows.map(({ id }) => id);
}

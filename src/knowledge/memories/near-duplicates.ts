import { eq } from "drizzle-orm";
import { keywordSearch } from "../../index/keyword.ts";
import type { Transaction } from "../../store/store.ts";
import { similarityTo } from "../../text/similarity.ts";
import type { MemoryRow } from "./record.ts";
import { memories } from "./tables.ts";

/** Above it a text is a new version of the one it resembles; above the lower one they are merely alike. */
export const supersedeAbove = 0.7;
export const similarAbove = 0.4;

const maxCandidates = 50;
/** Texts that are alike share two fifths of their words; half of those may be stop words, which no search sees. */
const sharedAtLeast = similarAbove / 2;

interface Newcomer {
  readonly content: string;
  readonly projectKey: string | null;
  readonly agentId: string | null;
  readonly now: number;
}

/** The latest memory of the same project and agent that resembles a text most, with their similarity (Jaccard). */
export async function mostSimilar(
  tx: Transaction,
  newcomer: Newcomer,
): Promise<{ row: MemoryRow; similarity: number } | undefined> {
  const hits = await keywordSearch(
    tx.sql,
    newcomer.content,
    {
      kinds: ["memory"],
      projectKeys: newcomer.projectKey === null ? [] : [newcomer.projectKey],
      includeWithoutProject: newcomer.projectKey === null,
      agent:
        newcomer.agentId === null
          ? { includeOrphans: true }
          : { agentId: newcomer.agentId, includeOrphans: false },
      now: newcomer.now,
    },
    maxCandidates,
    sharedAtLeast,
  );
  const ids = [...hits.map(({ ref }) => ref), ...(await sameText(tx, newcomer))];
  if (ids.length === 0) return undefined;
  const closest = await closestText(tx, ids, newcomer.content);
  if (closest === undefined) return undefined;
  const [row] = await tx.orm.select().from(memories).where(eq(memories.id, closest.id));
  return row === undefined ? undefined : { row, similarity: closest.similarity };
}

/** Reads no more of the candidates than their texts: all but one of them are only compared. */
async function closestText(
  tx: Transaction,
  ids: readonly string[],
  content: string,
): Promise<{ id: string; similarity: number } | undefined> {
  const rows = await tx.sql.all<{ id: string; content: string }>(
    `SELECT id, content FROM memories
     WHERE is_latest = 1 AND id IN (SELECT value FROM json_each(?)) ORDER BY created_at DESC`,
    [JSON.stringify(ids)],
  );
  const similarity = similarityTo(content);
  return rows
    .map((row) => ({ id: row.id, similarity: similarity(row.content) }))
    .sort((a, b) => b.similarity - a.similarity)[0];
}

/** Texts without any word (punctuation, stop words) are not in the keyword index; equal ones are found by equality. */
async function sameText(tx: Transaction, { content, projectKey, agentId }: Newcomer): Promise<string[]> {
  const rows = await tx.sql.all<{ id: string }>(
    `SELECT id FROM memories WHERE is_latest = 1 AND project_key IS ? AND agent_id IS ? AND content = ? LIMIT 1`,
    [projectKey, agentId, content],
  );
  return rows.map(({ id }) => id);
}

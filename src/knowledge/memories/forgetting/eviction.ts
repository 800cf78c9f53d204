import { and, desc, eq, isNotNull, lte, or, sql as text } from "drizzle-orm";
import type { Audit } from "../../../governance/audit/audit.ts";
import type { Ground } from "../../../ground.ts";
import type { Connection, Transaction } from "../../../store/store.ts";
import { strengthExpression } from "../strength/strength-sql.ts";
import { memories } from "../tables.ts";
import { type DeletedMemory, deleteDecayed, deleteMemories } from "./deletion.ts";

const maxPerRun = 5_000;

/** Memories to evict, by cause. */
export interface EvictionCandidates {
  /** Latest versions whose strength fell below the threshold. */
  readonly decayed: string[];
  /** Versions that have expired, latest or not. */
  readonly expired: string[];
  /** The earlier versions of those of both kinds that are the newest of their chain. */
  readonly nonLatest: string[];
}

/**
 * SQL condition: the version is not marked as latest, but no later version is stored, since its successors
 * were deleted. If only the next version was deleted, the end of the chain still lists this one.
 */
const isLastOfChain = text`NOT EXISTS (SELECT 1 FROM memory_relations
    WHERE memory_relations.type = 'supersedes' AND memory_relations.target_id = ${memories.id})
  AND ${memories.id} NOT IN (SELECT earlier.value FROM memories AS ending, json_each(ending.supersedes) AS earlier
    WHERE ending.supersedes <> '[]' AND (ending.is_latest = 1 OR NOT EXISTS (SELECT 1 FROM memory_relations
      WHERE memory_relations.type = 'supersedes' AND memory_relations.target_id = ending.id)))`;

/** Memories of any version that have expired. */
export async function expiredMemories(
  { orm }: Pick<Connection, "orm">,
  now: number,
  limit = maxPerRun,
): Promise<string[]> {
  const rows = await orm
    .select({ id: memories.id })
    .from(memories)
    .where(and(isNotNull(memories.forgetAfter), lte(memories.forgetAfter, now)))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** The memories that have expired or faded, weakest first, and their earlier versions. Reads only. */
export async function findEvictionCandidates(
  connection: Pick<Connection, "orm">,
  now: number,
  threshold: number,
  limit = maxPerRun,
): Promise<EvictionCandidates> {
  const expired = await expiredMemories(connection, now, limit);
  const isExpired = text`ifnull(${memories.forgetAfter} <= ${now}, 0)`;
  const rows = await connection.orm
    .select({ id: memories.id, supersedes: memories.supersedes })
    .from(memories)
    .where(
      and(
        or(eq(memories.isLatest, true), isLastOfChain),
        or(text`${strengthExpression(now)} < ${threshold}`, isExpired),
      ),
    )
    .orderBy(desc(isExpired), strengthExpression(now))
    .limit(limit);
  const taken = new Set(expired);
  const decayed: string[] = [];
  const earlier: string[] = [];
  for (const { id, supersedes } of rows) {
    if (taken.size >= limit) break;
    if (!taken.has(id)) decayed.push(id);
    const before = supersedes.filter((one) => !taken.has(one));
    earlier.push(...before);
    for (const one of [id, ...before]) taken.add(one);
  }
  return { expired, decayed, nonLatest: await onlyTheirs(connection, earlier, taken) };
}

/**
 * The ids that still exist, since a memory lists its earlier versions even after they were deleted, and that no memory
 * lists which stays: two stores may each have given a version another successor.
 */
async function onlyTheirs(
  { orm }: Pick<Connection, "orm">,
  ids: readonly string[],
  going: ReadonlySet<string>,
): Promise<string[]> {
  const rows = await orm
    .select({ id: memories.id })
    .from(memories)
    .where(
      text`${memories.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
        AND ${memories.id} NOT IN (SELECT earlier.value FROM memories AS staying, json_each(staying.supersedes) AS earlier
          WHERE staying.supersedes <> '[]'
            AND staying.id NOT IN (SELECT value FROM json_each(${JSON.stringify([...going])})))`,
    );
  const stored = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => stored.has(id));
}

/** Deletes the candidates; returns the deleted rows. */
export async function deleteEvicted(
  tx: Transaction,
  { expired, decayed, nonLatest }: EvictionCandidates,
  now: number,
): Promise<DeletedMemory[]> {
  const { gone } = await deleteMemories(tx, expired, now);
  return [...gone, ...(await deleteDecayed(tx, [...decayed, ...nonLatest], now))];
}

/** Evicts expired and faded memories; returns how many. */
export async function evictMemories(ground: Ground, audit: Audit): Promise<number> {
  return ground.store.write(async (tx) => {
    const now = ground.now();
    const candidates = await findEvictionCandidates(tx, now, ground.settings.retentionThreshold);
    const gone = await deleteEvicted(tx, candidates, now);
    if (gone.length === 0) return 0;
    const details = {
      expired: candidates.expired.length,
      decayed: candidates.decayed.length,
      nonLatest: candidates.nonLatest.length,
    };
    const targetIds = gone.map(({ id }) => id);
    const entry = { operation: "evict", functionId: "memory.evict", targetIds, details } as const;
    await audit.recordUnscoped(tx, undefined, entry);
    return gone.length;
  });
}

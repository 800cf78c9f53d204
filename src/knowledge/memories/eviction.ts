import { and, eq, isNotNull, lte, or, type SQL, sql as text } from "drizzle-orm";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { deleteMemories } from "./deletion.ts";
import { memories } from "./tables.ts";

const maxPerRun = 5_000;
const dayMs = text.raw("86400000.0");

/** Memories that the sweep lets go, by cause. */
export interface Faded {
  /** Latest versions whose strength fell below the threshold. */
  readonly decayed: string[];
  /** Versions whose time has come, latest or not. */
  readonly expired: string[];
  /** Earlier versions of decayed ones. */
  readonly nonLatest: string[];
}

/** The strength formula as the database computes it; strength.ts is the same in code. */
function strengthNow(now: number): SQL {
  return text`${memories.strengthAnchor} * exp(-max(0, ${now} - ${memories.strengthAnchorAt}) / ${dayMs} / ${memories.stabilityDays})`;
}

/** A version that nothing supersedes although it is not the latest: its successors were deleted. */
const isLastOfChain = text`NOT EXISTS (SELECT 1 FROM memory_relations
  WHERE memory_relations.type = 'supersedes' AND memory_relations.target_id = ${memories.id})`;

/** Which memories are expired or have faded, weakest first. Reads only. */
export async function findFaded(
  tx: Pick<Transaction, "orm">,
  now: number,
  threshold: number,
): Promise<Faded> {
  const expired = await tx.orm
    .select({ id: memories.id })
    .from(memories)
    .where(and(isNotNull(memories.forgetAfter), lte(memories.forgetAfter, now)))
    .limit(maxPerRun);
  const decayed = await tx.orm
    .select({ id: memories.id, supersedes: memories.supersedes })
    .from(memories)
    .where(and(or(eq(memories.isLatest, true), isLastOfChain), text`${strengthNow(now)} < ${threshold}`))
    .orderBy(strengthNow(now))
    .limit(maxPerRun);
  const gone = new Set(expired.map(({ id }) => id));
  return {
    expired: [...gone],
    decayed: decayed.map(({ id }) => id).filter((id) => !gone.has(id)),
    nonLatest: [...new Set(decayed.flatMap(({ supersedes }) => supersedes))].filter((id) => !gone.has(id)),
  };
}

/** Evicts expired and faded memories; returns how many went. */
export async function evictFaded(ground: Ground, audit: Audit): Promise<number> {
  return ground.store.write(async (tx) => {
    const now = ground.now();
    const faded = await findFaded(tx, now, ground.settings.retentionThreshold);
    const gone = await deleteMemories(tx, [...faded.expired, ...faded.decayed, ...faded.nonLatest], now);
    if (gone.length === 0) return 0;
    await audit.record(tx, {
      operation: "evict",
      functionId: "memory.evict",
      targetIds: gone.map(({ id }) => id),
      details: {
        expired: faded.expired.length,
        decayed: faded.decayed.length,
        nonLatest: faded.nonLatest.length,
      },
    });
    return gone.length;
  });
}

import type { Observations } from "../../capture/observations/observations.ts";
import { evictableOf, unimportantBefore } from "../../capture/observations/reads/unimportant.ts";
import { countStale } from "../../capture/sessions/abandon-stale.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import type { Ground } from "../../ground.ts";
import {
  findContradictions,
  settleContradictions,
} from "../../knowledge/memories/duplicates/contradictions.ts";
import { deleteMemories } from "../../knowledge/memories/forgetting/deletion.ts";
import {
  deleteEvicted,
  type EvictionCandidates,
  expiredMemories,
  findEvictionCandidates,
} from "../../knowledge/memories/forgetting/eviction.ts";
import type { Memories } from "../../knowledge/memories/memories.ts";
import { discountObservations } from "../../knowledge/summaries/summary-states.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import { dayMs } from "../../time/durations.ts";
import type { AskedBy, Audit } from "../audit/audit.ts";
import type { AutoForgotten, Evicted } from "./answers.ts";

/*
 * Deletes without a request that names the records: faded or expired memories, contradicted ones, and old
 * observations that never mattered.
 */

const maxPerRun = 5_000;
const maxShown = 1_000;
const lowValueAgeDays = 180;

/** Old observations that may be deleted unless something refers to them. */
interface OldObservations {
  /** Older than this, in milliseconds since 1970. */
  readonly before: number;
  /** Least important first. */
  readonly ids: readonly string[];
}

interface Services {
  readonly audit: Audit;
  readonly sessions: Sessions;
  readonly observations: Observations;
  readonly memories: Memories;
}

export class Retention {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Evicts, or in a dry run tells what it would evict: at most 5,000 records at a time, weakest first. */
  async evict({ dryRun = false }: DryRun, by: AskedBy): Promise<Evicted> {
    const { store, settings } = this.#ground;
    const staleSessions = await countStale(this.#ground);
    const old = await this.#oldAndUnimportant(settings.obsRetentionDays);
    const { faded, observationIds } = await store.writeAlone((tx) => this.#evictNow(tx, by, old), { dryRun });
    return {
      dryRun,
      decayedMemories: faded.decayed,
      expiredMemories: faded.expired,
      nonLatestMemories: faded.nonLatest,
      lowImportanceObservations: observationIds.length,
      lowImportanceObs: observationIds.length,
      observationIds: observationIds.slice(0, maxShown),
      staleSessions,
      capEvictions: 0,
      evicted: countOf(faded) + observationIds.length,
      threshold: settings.retentionThreshold,
    };
  }

  /**
   * Deletes expired memories and unimportant observations, and lets newer memories supersede older
   * contradicting ones. `by` is undefined when the timer runs it.
   */
  async autoForget({ dryRun = false }: DryRun, by?: AskedBy): Promise<AutoForgotten> {
    const { store, now } = this.#ground;
    const contradictions = await findContradictions(store.read.sql);
    const old = await this.#oldAndUnimportant(lowValueAgeDays);
    const work = async (tx: Transaction) => {
      const expired = await expiredMemories(tx, now());
      await deleteMemories(tx, expired, now());
      const settled = await settleContradictions(tx, this.#ground, contradictions);
      const lowValueObs = await this.#dispensable(tx, old, maxPerRun);
      await this.#letGo(tx, lowValueObs);
      const counts = {
        ttlExpired: expired.length,
        contradictions: settled.length,
        lowValueObs: lowValueObs.length,
      };
      if (counts.ttlExpired + counts.contradictions + counts.lowValueObs > 0) {
        const targetIds = [...expired, ...settled.map(({ memoryB }) => memoryB), ...lowValueObs];
        const entry = {
          operation: "auto_forget",
          functionId: "memory.auto-forget",
          targetIds,
          details: counts,
        } as const;
        await this.#services.audit.recordUnscoped(tx, by, entry);
      }
      return { dryRun, ttlExpired: expired, contradictions: settled, lowValueObs };
    };
    return store.writeAlone(work, { dryRun });
  }

  async #evictNow(
    tx: Transaction,
    by: AskedBy,
    old: OldObservations,
  ): Promise<{ faded: EvictionCandidates; observationIds: string[] }> {
    const { now, settings } = this.#ground;
    const faded = await findEvictionCandidates(tx, now(), settings.retentionThreshold, maxPerRun);
    const memoryIds = [...faded.expired, ...faded.decayed, ...faded.nonLatest];
    await deleteEvicted(tx, faded, now());
    // After the deletion of memories: their source observations are no longer referred to by them.
    const room = maxPerRun - memoryIds.length;
    const observationIds = await this.#dispensable(tx, old, room);
    await this.#letGo(tx, observationIds);
    if (memoryIds.length + observationIds.length > 0) {
      const details = {
        expired: faded.expired.length,
        decayed: faded.decayed.length,
        nonLatest: faded.nonLatest.length,
        lowImportanceObservations: observationIds.length,
      };
      const targetIds = [...memoryIds, ...observationIds];
      const entry = { operation: "evict", functionId: "memory.evict", targetIds, details } as const;
      await this.#services.audit.recordUnscoped(tx, by, entry);
    }
    return { faded, observationIds };
  }

  async #oldAndUnimportant(ageDays: number): Promise<OldObservations> {
    const { store, now } = this.#ground;
    const before = now() - ageDays * dayMs;
    return { before, ids: await unimportantBefore(store.read.sql, before) };
  }

  async #dispensable(tx: Transaction, { before, ids }: OldObservations, limit: number): Promise<string[]> {
    if (ids.length === 0) return [];
    const cited = await this.#services.memories.citedObservations(tx);
    const active = await this.#services.sessions.activeIds(tx);
    return evictableOf(tx.sql, ids, { before, cited, active, limit });
  }

  async #letGo(tx: Transaction, observationIds: readonly string[]): Promise<void> {
    await discountObservations(tx.sql, observationIds);
    await this.#services.observations.remove(tx, observationIds);
  }
}

function countOf({ decayed, expired, nonLatest }: EvictionCandidates): number {
  return decayed.length + expired.length + nonLatest.length;
}

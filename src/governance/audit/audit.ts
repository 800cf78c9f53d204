import { and, desc, eq, gte } from "drizzle-orm";
import * as z from "zod";
import { namedAgent } from "../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../ground.ts";
import { enqueuePurge } from "../../index/words/purge.ts";
import { listContains } from "../../store/list-contains.ts";
import { type Paged, type Paging, pageOf } from "../../store/page.ts";
import type { Transaction } from "../../store/store.ts";
import { dayMs } from "../../time/durations.ts";
import { type AuditEntry, type AuditOperation, deletingOperations, entryRecord } from "./record.ts";
import { auditEntries } from "./tables.ts";

const maxTargets = 1_000;
/** Few enough that other writers wait only some milliseconds. */
const droppedAtOnce = 1_000;

interface NewEntry {
  readonly operation: AuditOperation;
  readonly functionId: string;
  readonly targetIds: readonly string[];
  /** Ids, counts and reasons, without undefined ones; never the contents of a record. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly qualityScore?: number;
  readonly agentId?: string | null | undefined;
  /** Nothing was deleted; the entry says that somebody tried. */
  readonly isInVain?: boolean;
}

/** The agent that the caller works for, if it names one. */
export const AskedBy = z.object({ agentId: z.string().optional() });
export type AskedBy = z.output<typeof AskedBy>;

interface Circumstances {
  /** Nobody asked for it: what it deletes was old. */
  readonly isSweep?: boolean;
}

interface ListInput extends Paging {
  readonly operation?: string | undefined;
  readonly agentId?: string | undefined;
  readonly targetId?: string | undefined;
  readonly since?: number | undefined;
}

/**
 * The audit trail: one entry per mutation, written in the mutation's own transaction. As every deletion has its entry,
 * this is also where the purge of what was deleted is enqueued.
 */
export class Audit {
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  async record(tx: Transaction, entry: NewEntry, { isSweep = false }: Circumstances = {}): Promise<void> {
    const { newId, now, settings } = this.#ground;
    const cut = entry.targetIds.length > maxTargets;
    const details = cut ? { ...entry.details, targetCount: entry.targetIds.length } : (entry.details ?? {});
    await tx.sql.run(
      `INSERT INTO audit_entries (id, timestamp, operation, function_id, target_ids, details, quality_score, agent_id, user_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        newId("audit"),
        now(),
        entry.operation,
        entry.functionId,
        JSON.stringify(entry.targetIds.slice(0, maxTargets)),
        JSON.stringify(details),
        entry.qualityScore ?? null,
        entry.agentId ?? null,
        settings.userId ?? null,
      ],
    );
    if (entry.isInVain === true || !deletingOperations.has(entry.operation)) return;
    await enqueuePurge(tx, this.#ground, isSweep ? { afterMs: dayMs } : {});
    // For commands, which run it once they have answered; a daemon's worker looks again before it is due.
    if (!isSweep) this.#ground.wakeJobs();
  }

  /**
   * For requests that are not scoped by agent. `by` is undefined for work that nobody asked for; such an
   * entry names no agent.
   */
  async recordUnscoped(
    tx: Transaction,
    by: AskedBy | undefined,
    entry: Omit<NewEntry, "agentId">,
  ): Promise<void> {
    const agentId = by === undefined ? undefined : namedAgent(this.effective(by).agentId);
    await this.record(tx, { ...entry, agentId }, { isSweep: by === undefined });
  }

  /** Records what a sweep changed: the ids, and the counts by kind. */
  async recordSweep(
    tx: Transaction,
    targetIds: readonly string[],
    details: Readonly<Record<string, number>>,
  ): Promise<void> {
    const entry = { operation: "sweep", functionId: "sweep.expire", targetIds, details } as const;
    await this.record(tx, entry, { isSweep: true });
  }

  /**
   * The effective agent of a request that is not scoped by agent: the caller's, else that of the settings. A
   * job stores it, because another process with other settings may finish the job.
   */
  effective({ agentId = this.#ground.settings.agentId }: AskedBy): AskedBy {
    return { agentId };
  }

  /**
   * Deletes entries older than MEMSVC_AUDIT_RETENTION_DAYS, in batches; run by the daily sweep. Returns how
   * many.
   */
  async dropOld(): Promise<number> {
    const { store, now, settings } = this.#ground;
    if (settings.auditRetentionDays === 0) return 0;
    const before = now() - settings.auditRetentionDays * dayMs;
    let dropped = 0;
    for (let gone = droppedAtOnce; gone === droppedAtOnce; ) {
      const soFar = dropped;
      gone = await store.write(async (tx) => {
        const { changes } = await tx.sql.run(
          `DELETE FROM audit_entries WHERE id IN
             (SELECT id FROM audit_entries WHERE timestamp < ? ORDER BY timestamp LIMIT ${droppedAtOnce})`,
          [before],
        );
        const audit = soFar + changes;
        if (changes < droppedAtOnce && audit > 0) await this.recordSweep(tx, [], { audit });
        return changes;
      });
      // Counted outside the transaction, which is run again when another one in the same commit fails.
      dropped += gone;
    }
    return dropped;
  }

  /** Whether an entry of the operation names the record, including entries written in this transaction. */
  async hasEntryFor(
    { orm }: Transaction,
    { operation, targetId }: { readonly operation: AuditOperation; readonly targetId: string },
  ): Promise<boolean> {
    const rows = await orm
      .select({ id: auditEntries.id })
      .from(auditEntries)
      .where(and(eq(auditEntries.operation, operation), listContains(auditEntries.targetIds, targetId)))
      .limit(1);
    return rows.length > 0;
  }

  async list(input: ListInput): Promise<{ entries: AuditEntry[] } & Paged> {
    const { read } = this.#ground.store;
    const where = and(
      input.operation === undefined ? undefined : eq(auditEntries.operation, input.operation),
      input.agentId === undefined || input.agentId === "*"
        ? undefined
        : eq(auditEntries.agentId, input.agentId),
      input.since === undefined ? undefined : gte(auditEntries.timestamp, input.since),
      input.targetId === undefined ? undefined : listContains(auditEntries.targetIds, input.targetId),
    );
    const { rows, ...page } = await pageOf(
      read,
      auditEntries,
      { where, order: [desc(auditEntries.timestamp), desc(auditEntries.id)] },
      input,
    );
    return { entries: rows.map(entryRecord), ...page };
  }
}

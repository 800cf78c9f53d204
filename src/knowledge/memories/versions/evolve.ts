import type { ScopeRequest } from "../../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../../ground.ts";
import { MemsvcError } from "../../../operation/errors.ts";
import type { Transaction } from "../../../store/store.ts";
import { redactText } from "../../../text/redaction/redact.ts";
import type { Evolved } from "../answers.ts";
import type { Memories, MemoryServices } from "../memories.ts";
import { type MemoryRow, memoryRecord } from "../record.ts";
import { newCurve } from "../strength/strength.ts";
import { withPresentTitle } from "../titles/present-titles.ts";
import { newestVersionOf } from "./newest-version.ts";
import { insertVersion, lineage, supersede } from "./versions.ts";

export interface EvolveInput extends ScopeRequest {
  readonly memoryId: string;
  readonly newContent: string;
  readonly newTitle?: string | undefined;
}

/**
 * Gives a memory a new version with new text. Errors: not_found; conflict when it is not the newest version.
 */
export async function evolve(
  ground: Ground,
  services: MemoryServices & { readonly memories: Memories },
  input: EvolveInput,
): Promise<Evolved> {
  return ground.store.write(async (tx) => {
    const now = ground.now();
    const filter = await services.agents.reader(tx.sql, input);
    const older = await services.memories.visible(tx, input.memoryId, filter);
    await refuseOutdated(tx, older);
    const row: MemoryRow = {
      ...older,
      ...lineage(older),
      ...newCurve(older.type, now, older.stabilityDays),
      id: ground.newId("memory"),
      content: redactText(input.newContent),
      title: input.newTitle === undefined ? older.title : redactText(input.newTitle),
      isLatest: true,
      createdAt: now,
      updatedAt: now,
      recallCount: 0,
      lastRecalledAt: null,
      // An expiry that has passed is dropped: whoever evolves the memory wants it, and the new version would
      // be hidden at once.
      forgetAfter: older.forgetAfter !== null && older.forgetAfter <= now ? null : older.forgetAfter,
    };
    await insertVersion(tx, ground, row);
    await supersede(tx, ground, older, row);
    await services.audit.record(tx, {
      operation: "evolve",
      functionId: "memory.evolve",
      targetIds: [row.id, older.id],
      details: { previousId: older.id, version: row.version },
      agentId: await services.agents.writer(tx.sql, input),
    });
    const { version } = row;
    return {
      memory: await withPresentTitle(tx.sql, memoryRecord(row, now)),
      memoryId: row.id,
      previousId: older.id,
      version,
      isLatest: true,
      strength: 1,
    };
  });
}

/**
 * Only the newest version may be evolved: the latest, or the highest one left in a chain whose latest was
 * deleted.
 */
async function refuseOutdated(tx: Transaction, row: MemoryRow): Promise<void> {
  if (row.isLatest) return;
  const latestId = await newestVersionOf(tx.sql, row.id);
  if (latestId === undefined) return;
  throw new MemsvcError("conflict", `memory ${row.id} has a newer version, ${latestId}`, {
    hint: `evolve that one: memsvc evolve ${latestId} <text>`,
    extra: { latestId },
  });
}

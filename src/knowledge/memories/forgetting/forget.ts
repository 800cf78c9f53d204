import { and, desc, eq, gt, inArray, isNull, or } from "drizzle-orm";
import { type AgentFilter, isVisible, type ScopeRequest } from "../../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../../ground.ts";
import { MemsvcError } from "../../../operation/errors.ts";
import { withdrawOrphans } from "../../../sharing/team/withdrawal.ts";
import { isIdOf } from "../../../store/ids.ts";
import type { DryRun, Transaction } from "../../../store/store.ts";
import type { Forgotten } from "../answers.ts";
import type { MemoryServices } from "../memories.ts";
import type { MemoryRow } from "../record.ts";
import { memories } from "../tables.ts";
import { restoreVersion } from "../versions/versions.ts";
import { deleteMemories } from "./deletion.ts";
import {
  type Deletions,
  type ForgetSessionInput,
  type ForgetSessionServices,
  forgetSession,
  noDeletions,
} from "./forget-session.ts";

export interface ForgetInput extends ScopeRequest, DryRun, ForgetSessionInput {
  readonly memoryId?: string | undefined;
  readonly restorePrevious?: boolean | undefined;
}

/** Deletes a memory, a session's observations, or both. Error: not_found when none of them exists. */
export async function forget(
  ground: Ground,
  services: MemoryServices & ForgetSessionServices,
  input: ForgetInput,
): Promise<Forgotten> {
  const work = async (tx: Transaction) => {
    const filter = await services.agents.reader(tx.sql, input);
    const now = ground.now();
    const memory = await forgetMemory(tx, ground, filter, input);
    const session = await forgetSession(tx, services, filter, input, now);
    const notFound = [...new Set([...memory.notFound, ...session.notFound])];
    if (!memory.known && !session.known) {
      throw new MemsvcError("not_found", `nothing to forget: ${notFound.join(", ")} not known`, {
        hint: wayOut(input, notFound),
        extra: { notFound },
      });
    }
    const withdrawn = [...memory.withdrawn, ...session.withdrawn];
    const derived = [...memory.derived, ...session.derived];
    const targets = [...memory.targets, ...session.targets, ...derived, ...withdrawn];
    const counts = { deletedMemories: memory.deleted, deletedObservations: session.observations };
    if (targets.length > 0) {
      await services.audit.record(tx, {
        operation: "forget",
        functionId: "memory.forget",
        targetIds: targets,
        details: {
          ...counts,
          derived: derived.length,
          withdrawn: withdrawn.length,
          sessionId: input.sessionId,
        },
        agentId: await services.agents.writer(tx.sql, input),
      });
    }
    return {
      deleted: memory.deleted + session.deleted,
      notFound,
      ...counts,
      ...(memory.restored === undefined ? {} : { restored: memory.restored }),
      ...(derived.length === 0 ? {} : { derived }),
      ...(session.remaining.length === 0 ? {} : { remaining: session.remaining }),
      ...(withdrawn.length === 0 ? {} : { withdrawn }),
      ...(session.summary === undefined ? {} : { summary: session.summary }),
    };
  };
  const { dryRun, sessionId } = input;
  // A session may have thousands of observations, so its deletion gets a transaction of its own.
  return sessionId === undefined
    ? ground.store.write(work, { dryRun })
    : ground.store.writeAlone(work, { dryRun });
}

function wayOut({ memoryId, sessionId }: ForgetInput, notFound: readonly string[]): string {
  // Search results name observations and lessons, too.
  if (memoryId !== undefined) {
    if (isIdOf("observation", memoryId))
      return `it is an observation of a session: memsvc forget --session <session> --observation ${memoryId}`;
    if (isIdOf("lesson", memoryId)) return `it is a lesson: memsvc lesson delete ${memoryId}`;
    return "search for it: memsvc search <query>";
  }
  return sessionId !== undefined && notFound.includes(sessionId)
    ? "list the known sessions: memsvc session list"
    : "see what the session holds: memsvc session show <sessionId>";
}

async function forgetMemory(
  tx: Transaction,
  ground: Ground,
  filter: AgentFilter,
  input: ForgetInput,
): Promise<Deletions & { restored?: string }> {
  if (input.memoryId === undefined) return noDeletions;
  const rows = await tx.orm.select().from(memories).where(eq(memories.id, input.memoryId));
  const [row] = rows.filter(({ agentId }) => isVisible(filter, agentId));
  if (row === undefined) {
    const faded = { kind: "memory", ids: [input.memoryId] } as const;
    const withdrawn = rows.length > 0 ? [] : await withdrawOrphans(tx.sql, filter, faded);
    if (withdrawn.length > 0) return { ...noDeletions, withdrawn, known: true };
    return { ...noDeletions, notFound: [input.memoryId] };
  }
  const { derived } = await deleteMemories(tx, [row.id], ground.now());
  const gone = { ...noDeletions, targets: [row.id], deleted: 1, derived, known: true };
  const isRestoring = input.restorePrevious === true && row.isLatest;
  const previous = isRestoring ? await highestEarlier(tx, row, ground.now()) : undefined;
  if (previous === undefined) return gone;
  await restoreVersion(tx, ground, previous);
  return { ...gone, restored: previous.id };
}

/** The highest earlier version that has not expired. */
async function highestEarlier(tx: Transaction, row: MemoryRow, now: number): Promise<MemoryRow | undefined> {
  const [previous] = await tx.orm
    .select()
    .from(memories)
    .where(
      and(
        inArray(memories.id, row.supersedes),
        or(isNull(memories.forgetAfter), gt(memories.forgetAfter, now)),
      ),
    )
    .orderBy(desc(memories.version))
    .limit(1);
  return previous;
}

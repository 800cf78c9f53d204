import { desc, inArray } from "drizzle-orm";
import { deleteObservations } from "../../capture/observations/deletion.ts";
import { notedFacts } from "../../capture/observations/noted-facts.ts";
import { sessionState } from "../../capture/sessions/activity.ts";
import {
  type AgentFilter,
  agentClause,
  isVisible,
  type ScopeRequest,
} from "../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Followups } from "../../recall/followup/followups.ts";
import { withdrawCopies, withdrawLeft } from "../../sharing/team/withdrawal.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import { dropDrawnFromEvents } from "../drawn.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { Summaries } from "../summaries/summaries.ts";
import { deleteMemories } from "./deletion.ts";
import type { MemoryServices } from "./memories.ts";
import type { MemoryRow } from "./record.ts";
import { memories } from "./tables.ts";
import { restoreVersion } from "./versions.ts";

export interface ForgetInput extends ScopeRequest, DryRun {
  readonly memoryId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly observationIds?: readonly string[] | undefined;
  readonly restorePrevious?: boolean | undefined;
  readonly includeSession?: boolean | undefined;
}

export interface Forgotten {
  readonly deleted: number;
  readonly notFound: string[];
  readonly deletedMemories: number;
  readonly deletedObservations: number;
  readonly restored?: string;
  readonly derived?: string[];
  readonly remaining?: string[];
  readonly withdrawn?: string[];
}

interface Gone {
  readonly targets: string[];
  readonly notFound: string[];
  readonly deleted: number;
  /** What was drawn from nothing else. */
  readonly derived: string[];
  /** Records that had faded, of which a shared copy was left. */
  readonly withdrawn: string[];
  /** True when something of what was named exists, even if nothing had to be deleted. */
  readonly known: boolean;
}

interface GoneEvents extends Gone {
  readonly observations: number;
  /** Memories that were made of them. */
  readonly remaining: string[];
}

interface Services extends MemoryServices {
  readonly followups: Followups;
  readonly profiles: Profiles;
  readonly summaries: Summaries;
  readonly sessions: Sessions;
}

/** Deletes a memory, a session's observations, or both. Error: not_found when nothing of it exists. */
export async function forget(ground: Ground, services: Services, input: ForgetInput): Promise<Forgotten> {
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
          ...(input.sessionId === undefined ? {} : { sessionId: input.sessionId }),
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
    };
  };
  return ground.store.write(work, { dryRun: input.dryRun });
}

function wayOut({ memoryId, sessionId }: ForgetInput, notFound: readonly string[]): string {
  if (memoryId !== undefined) return "find it by its words: memsvc search <query>";
  return sessionId !== undefined && notFound.includes(sessionId)
    ? "list the known sessions: memsvc session list"
    : "see what the session holds: memsvc session show <sessionId>";
}

const nothing: Gone = { targets: [], notFound: [], deleted: 0, derived: [], withdrawn: [], known: false };

async function forgetMemory(
  tx: Transaction,
  ground: Ground,
  filter: AgentFilter,
  input: ForgetInput,
): Promise<Gone & { restored?: string }> {
  if (input.memoryId === undefined) return nothing;
  const rows = await tx.orm
    .select()
    .from(memories)
    .where(inArray(memories.id, [input.memoryId]));
  const [row] = rows.filter(({ agentId }) => isVisible(filter, agentId));
  if (row === undefined) {
    const faded = { kind: "memory", ids: [input.memoryId] } as const;
    const withdrawn = rows.length > 0 ? [] : await withdrawLeft(tx.sql, filter, faded);
    if (withdrawn.length > 0) return { ...nothing, withdrawn, known: true };
    return { ...nothing, notFound: [input.memoryId] };
  }
  const { derived } = await deleteMemories(tx, [row.id], ground.now());
  const gone = { ...nothing, targets: [row.id], deleted: 1, derived, known: true };
  const previous = input.restorePrevious === true && row.isLatest ? await highestEarlier(tx, row) : undefined;
  if (previous === undefined) return gone;
  await restoreVersion(tx, ground, previous);
  return { ...gone, restored: previous.id };
}

async function highestEarlier(tx: Transaction, row: MemoryRow): Promise<MemoryRow | undefined> {
  const [previous] = await tx.orm
    .select()
    .from(memories)
    .where(inArray(memories.id, row.supersedes))
    .orderBy(desc(memories.version))
    .limit(1);
  return previous;
}

/** Latest memories, as far as the filter lets see, that name any of the observations as their source. */
async function madeOf(
  { sql }: Transaction,
  observationIds: readonly string[],
  filter: AgentFilter,
): Promise<string[]> {
  if (observationIds.length === 0) return [];
  const agent = agentClause(filter, "agent_id");
  const rows = await sql.values(
    `WITH gone(id) AS MATERIALIZED (SELECT value FROM json_each(?))
     SELECT id FROM memories WHERE is_latest AND source_observation_ids <> '[]'
       AND EXISTS (SELECT 1 FROM json_each(source_observation_ids) WHERE value IN gone)${agent.text} ORDER BY id`,
    [JSON.stringify(observationIds), ...agent.args],
  );
  return rows.map(([id]) => String(id));
}

async function forgetSession(
  tx: Transaction,
  services: Services,
  filter: AgentFilter,
  input: ForgetInput,
  now: number,
): Promise<GoneEvents> {
  if (input.sessionId === undefined) return { ...nothing, observations: 0, remaining: [] };
  const session = await services.sessions.find(tx, input.sessionId);
  if (session === undefined || !isVisible(filter, session.agentId)) {
    return {
      ...nothing,
      notFound: [input.sessionId, ...(input.observationIds ?? [])],
      observations: 0,
      remaining: [],
    };
  }
  const noted = await notedFacts(tx.sql, session.id, input.observationIds);
  const gone = await deleteObservations(tx, session.id, input.observationIds, now);
  await withdrawCopies(tx.sql, "observation", gone);
  const { id: sessionId } = session;
  const withdrawn = await withdrawLeft(tx.sql, filter, {
    kind: "observation",
    ids: input.observationIds,
    sessionId,
  });
  const missing = (input.observationIds ?? []).filter((id) => !gone.includes(id) && !withdrawn.includes(id));
  const withSession = input.includeSession === true && input.observationIds === undefined;
  const removed = withSession ? await services.sessions.remove(tx, session.id) : 0;
  if (withSession) {
    await services.summaries.remove(tx, session.id);
    await services.followups.drop(tx, session.id);
  }
  const left = await sessionState(tx.sql, session.id);
  const derived = await dropDrawnFromEvents(
    tx,
    {
      sessionId,
      observationIds: gone,
      noted,
      left: left === undefined ? "nothing" : left.observationCount > 0 ? "observations" : "summary",
    },
    now,
  );
  if (gone.length > 0) await services.summaries.renew(tx, sessionId);
  if (gone.length + removed > 0) await services.profiles.drop(tx, session.projectKey);
  return {
    targets: removed > 0 ? [session.id, ...gone] : gone,
    notFound: missing,
    deleted: gone.length + removed,
    observations: gone.length,
    derived,
    remaining: await madeOf(tx, gone, filter),
    withdrawn,
    known: input.observationIds === undefined || gone.length + withdrawn.length > 0,
  };
}

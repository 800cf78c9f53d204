import { deleteObservations } from "../../../capture/observations/deletion.ts";
import { notedFacts } from "../../../capture/observations/reads/noted-facts.ts";
import type { Projects } from "../../../capture/projects/projects.ts";
import { sessionState } from "../../../capture/sessions/activity.ts";
import { type AgentFilter, isVisible } from "../../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../../capture/sessions/sessions.ts";
import type { Followups } from "../../../recall/followup/followups.ts";
import { withdrawCopies, withdrawOrphans } from "../../../sharing/team/withdrawal.ts";
import type { Transaction } from "../../../store/store.ts";
import { invalidateProfiles } from "../../profiles/cache.ts";
import { forgetReflected } from "../../slots/forget-reflected.ts";
import type { Slots } from "../../slots/slots.ts";
import { deleteDerivedFromObservations } from "../../sources/delete-derived.ts";
import { findBySources, lessonSources, memorySources } from "../../sources/find-by-sources.ts";
import type { Summaries } from "../../summaries/summaries.ts";

/** The observations of a session to delete: all, or those with these ids. */
export interface ForgetSessionInput {
  readonly sessionId?: string | undefined;
  readonly observationIds?: readonly string[] | undefined;
  /** Whether the session itself is deleted, too. */
  readonly includeSession?: boolean | undefined;
}

/** The outcome of deleting what a request named. */
export interface Deletions {
  readonly targets: string[];
  readonly notFound: string[];
  readonly deleted: number;
  /** Ids of records that were derived from the deleted ones alone. */
  readonly derived: string[];
  /** Ids of records that had faded before and whose shared copies were deleted now. */
  readonly withdrawn: string[];
  /** Whether any of the named records exists, even if nothing had to be deleted. */
  readonly known: boolean;
}

interface SessionDeletions extends Deletions {
  readonly observations: number;
  /** Memories and lessons that were made from the deleted observations and stay. */
  readonly remaining: string[];
  /** What became of the session's summary; undefined if it has none. */
  readonly summary?: "deleted" | "renewed" | "kept" | undefined;
}

export interface ForgetSessionServices {
  readonly projects: Projects;
  readonly slots: Slots;
  readonly followups: Followups;
  readonly summaries: Summaries;
  readonly sessions: Sessions;
}

export const noDeletions: Deletions = {
  targets: [],
  notFound: [],
  deleted: 0,
  derived: [],
  withdrawn: [],
  known: false,
};
const noSessionDeletions: SessionDeletions = { ...noDeletions, observations: 0, remaining: [] };

/** Deletes the named observations, what was derived from them alone, and on request the session. */
export async function forgetSession(
  tx: Transaction,
  services: ForgetSessionServices,
  filter: AgentFilter,
  input: ForgetSessionInput,
  now: number,
): Promise<SessionDeletions> {
  if (input.sessionId === undefined) return noSessionDeletions;
  const session = await services.sessions.find(tx, input.sessionId);
  if (session === undefined || !isVisible(filter, session.agentId)) {
    return { ...noSessionDeletions, notFound: [input.sessionId, ...(input.observationIds ?? [])] };
  }
  const noted = await notedFacts(tx.sql, session.id, input.observationIds);
  const gone = await forgetReflected(tx, services, { session, filter }, () =>
    deleteObservations(tx, session.id, input.observationIds, { why: "forgotten", now }),
  );
  await withdrawCopies(tx.sql, "observation", gone);
  const { id: sessionId } = session;
  const withdrawn = await withdrawOrphans(tx.sql, filter, {
    kind: "observation",
    ids: input.observationIds,
    sessionId,
  });
  const missing = (input.observationIds ?? []).filter((id) => !gone.includes(id) && !withdrawn.includes(id));
  const withSession = input.includeSession === true && input.observationIds === undefined;
  const removed = withSession ? await services.sessions.remove(tx, session.id) : 0;
  const deletedSummary = withSession ? await services.summaries.remove(tx, session.id) : undefined;
  if (withSession) await services.followups.drop(tx, session.id);
  const left = await sessionState(tx.sql, session.id);
  const derived = await deleteDerivedFromObservations(
    tx,
    {
      sessionId,
      observationIds: gone,
      noted,
      notedElsewhere: await notedFacts(tx.sql, sessionId, undefined),
      left: left === undefined ? "nothing" : left.observationCount > 0 ? "observations" : "summary",
    },
    now,
  );
  const leftSummary = gone.length > 0 ? await services.summaries.renew(tx, sessionId) : undefined;
  if (gone.length + removed > 0) await invalidateProfiles(tx.sql, session.projectKey);
  return {
    targets: removed > 0 ? [session.id, ...gone] : gone,
    notFound: missing,
    deleted: gone.length + removed,
    observations: gone.length,
    derived,
    remaining: [
      ...(await findBySources(tx.sql, memorySources, gone, filter)),
      ...(await findBySources(tx.sql, lessonSources, gone, filter)),
    ],
    withdrawn,
    summary: deletedSummary ?? leftSummary,
    known: input.observationIds === undefined || gone.length + withdrawn.length > 0,
  };
}

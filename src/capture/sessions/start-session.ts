import type { Ground } from "../../ground.ts";
import { invalidateProfiles } from "../../knowledge/profiles/cache.ts";
import { summariesOf } from "../../knowledge/summaries/stored-summaries.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { commitsLinkedTo } from "../commits/links.ts";
import { namedAgent, type ScopeRequest } from "./agent-scope.ts";
import { longestSessionName, type Session, type SessionRow, sessionRecord } from "./record.ts";
import type { SessionServices, Sessions } from "./sessions.ts";
import { sessions } from "./tables.ts";

export interface StartInput extends ScopeRequest {
  readonly sessionId: string;
  readonly project: string;
  readonly cwd: string;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
}

export interface StartedSession {
  readonly session: Session;
  /** Whether it existed before. */
  readonly resumed: boolean;
}

/**
 * Opens a session, or resumes an existing one. Error: conflict when agents are isolated and it belongs to
 * another.
 */
export async function startSession(
  ground: Ground,
  services: SessionServices & { readonly sessions: Pick<Sessions, "find"> },
  input: StartInput,
): Promise<StartedSession> {
  const { agents, projects, audit } = services;
  const title =
    input.title === undefined ? undefined : cutCodePoints(redactText(input.title.trim()), longestSessionName);
  return ground.store.write(async (tx) => {
    const before = await services.sessions.find(tx, input.sessionId);
    if (before !== undefined && agents.isolated) refuseForeign(before, namedAgent(input.agentId));
    const agentId = before?.agentId ?? (await agents.writer(tx.sql, input)) ?? null;
    // A stored summary says more than the title of a later start.
    const isSummarized = (await summariesOf(tx, [input.sessionId])).size > 0;
    const given = {
      project: input.project,
      projectKey: await projects.writeKey(tx.sql, input.project, input.cwd),
      cwd: input.cwd,
      agentId,
      status: "active" as const,
      endedAt: null,
      updatedAt: ground.now(),
      ...(input.model === undefined ? {} : { model: redactText(input.model) }),
      ...(title === undefined || isSummarized ? {} : { summary: title }),
      ...(title === undefined ? {} : { firstPrompt: before?.firstPrompt ?? title }),
    };
    const row = {
      ...given,
      id: input.sessionId,
      startedAt: given.updatedAt,
      commitShas: await commitsLinkedTo(tx.sql, input.sessionId),
    };
    const [stored] = await tx.orm
      .insert(sessions)
      .values(row)
      .onConflictDoUpdate({ target: sessions.id, set: given })
      .returning();
    if (stored === undefined) throw new Error("the session row was not returned");
    if (before !== undefined && before.projectKey !== stored.projectKey) {
      for (const key of [before.projectKey, stored.projectKey]) await invalidateProfiles(tx.sql, key);
    }
    await audit.record(tx, {
      operation: "session_start",
      functionId: "session.start",
      targetIds: [input.sessionId],
      details: before === undefined ? {} : { statusBefore: before.status },
      agentId,
    });
    return { session: sessionRecord(stored), resumed: before !== undefined };
  });
}

/** Isolated agents cannot resume each other's sessions: the answer would show what these are about. */
function refuseForeign(session: SessionRow, named: string | undefined): void {
  if (named === undefined || (session.agentId ?? named) === named) return;
  throw new MemsvcError("conflict", `session ${session.id} belongs to another agent`, {
    hint: "start a session with an id of its own",
  });
}

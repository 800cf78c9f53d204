import { isAnswer } from "../../capture/observations/prose/agent-answer.ts";
import { isAgentNote } from "../../capture/observations/prose/agent-notes.ts";
import { isFarewell, isShortReply } from "../../capture/observations/prose/short-reply.ts";
import { readSession, type SessionObservation } from "../../capture/observations/reads/read-session.ts";
import type { AgentFilter, AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { SessionRow } from "../../capture/sessions/record.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import type { Ground } from "../../ground.ts";
import { leftSince } from "../../knowledge/open-work/done-work.ts";
import { openItems, openItemsOfLastPlan } from "../../knowledge/open-work/open-items.ts";
import { isInformative } from "../../knowledge/summaries/answer-gist.ts";
import { extractInSteps } from "../../knowledge/summaries/extractive.ts";
import { failuresIn } from "../../knowledge/summaries/failures.ts";
import { summariesOf } from "../../knowledge/summaries/stored-summaries.ts";
import type { Connection } from "../../store/store.ts";
import { runYielding } from "../../store/turns.ts";

const mostOpenItems = 20;

/** What somebody has to know to go on with a session. */
export interface Handoff {
  readonly session: Pick<SessionRow, "id" | "project" | "cwd" | "status">;
  readonly title: string;
  readonly narrative: string;
  readonly keyDecisions: readonly string[];
  readonly filesModified: readonly string[];
  /** Open items that the session named and that were not evidently done since, newest last. */
  readonly openItems: readonly string[];
  /** What the user asked for, in the user's words, oldest first. */
  readonly prompts: readonly string[];
  /** Failures that no success followed, the newest first. */
  readonly failuresLeft: readonly string[];
  /** The agent's last answer that says something; "" when there is none. */
  readonly lastAnswer: string;
  /** Whether the last prompt got no answer. */
  readonly isBrokenOff: boolean;
}

interface Services {
  readonly agents: AgentScopes;
  readonly sessions: Sessions;
}

/**
 * Summarizes a session: by its stored summary, or by rules if that is missing or outdated. Stores nothing. Error:
 * not_found.
 */
export async function handoff(
  { store }: Ground,
  { agents, sessions }: Services,
  request: ScopeRequest & { readonly sessionId: string },
): Promise<Handoff> {
  const { read } = store;
  const filter = await agents.reader(read.sql, request);
  const session = await sessions.visible(read, request.sessionId, filter);
  return handoffOf(read, session, filter);
}

/** The same for a session that the caller is known to be allowed to see. */
export async function handoffOf(
  read: Connection,
  session: SessionRow,
  filter: AgentFilter,
): Promise<Handoff> {
  const { sql } = read;
  const { observations, newest, stored } = await readSession(sql, session.id);
  const summary = (await summariesOf(read, [session.id])).get(session.id);
  // A summary that was made before the last observations lacks the latest work.
  const isCurrent = summary?.lastObservation === newest && summary.observationCount === stored;
  const { title, narrative, keyDecisions, filesModified } = isCurrent
    ? summary
    : await runYielding(extractInSteps(observations, session.firstPrompt));
  const view = { keys: [session.projectKey], filter };
  const left = await leftSince(sql, view, observations[0]?.timestamp ?? session.startedAt);
  const leftOf = (item: string, { timestamp }: SessionObservation) => left(item, timestamp);
  return {
    session,
    title,
    narrative,
    keyDecisions,
    filesModified,
    openItems: [...openItems(observations, leftOf), ...openItemsOfLastPlan(observations, leftOf)].slice(
      -mostOpenItems,
    ),
    prompts: promptsOf(observations),
    failuresLeft: failuresIn(observations).left,
    ...lastWordsOf(observations),
  };
}

function lastWordsOf(
  observations: readonly SessionObservation[],
): Pick<Handoff, "lastAnswer" | "isBrokenOff"> {
  const spoken = observations.filter((one) => isSpoken(one) && !isAgentNote(one.narrative));
  const last = spoken.at(-1);
  const answers = spoken.filter(isAnswer).map(({ narrative }) => narrative);
  return {
    lastAnswer: answers.findLast(isInformative) ?? answers.at(-1) ?? "",
    // Some agents report no answers at all.
    isBrokenOff: answers.length > 0 && last?.hookType === "prompt_submit" && !isFarewell(last.narrative),
  };
}

function isSpoken(one: SessionObservation): boolean {
  return one.type === "conversation" || one.hookType === "prompt_submit" || isAnswer(one);
}

function promptsOf(observations: readonly SessionObservation[]): string[] {
  return observations
    .filter(({ hookType }) => hookType === "prompt_submit")
    .map(({ narrative }) => narrative)
    .filter((prompt) => prompt !== "" && !isAgentNote(prompt) && !isShortReply(prompt));
}

import { tellsPlan } from "../../../capture/observations/calls/told-plan.ts";
import { isFileChange } from "../../../capture/observations/calls/tool-kind.ts";
import { type Highlight, highlightsOf, lastWorkIn } from "../../../capture/observations/reads/history.ts";
import {
  type Answer,
  lastAnswersOf,
  lastPlansOf,
  unansweredPromptsOf,
} from "../../../capture/observations/reads/last-statements.ts";
import { newestSessions, type PastSession } from "../../../capture/sessions/history.ts";
import type { ProjectView } from "../../../capture/sessions/view.ts";
import type { Ground } from "../../../ground.ts";
import { standingDecisions } from "../../../knowledge/decisions/standing-decisions.ts";
import { newestVersions } from "../../../knowledge/memories/versions/newest-versions.ts";
import { type LeftOf, leftSince, nothingDone } from "../../../knowledge/open-work/done-work.ts";
import { narrativeParts } from "../../../knowledge/summaries/narrative-parts.ts";
import { summariesOf } from "../../../knowledge/summaries/stored-summaries.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Connection } from "../../../store/store.ts";
import { beginsWith } from "../../../text/cut.ts";
import { hourMs } from "../../../time/durations.ts";
import { shortened } from "../safe-text.ts";
import type { ContextRequest, Line, Section, SectionItem } from "../section.ts";
import {
  brokenOff,
  itemsToldLeft,
  type LastWords,
  lastInformative,
  leftToDo,
  leftWorkAt,
  otherEnds,
  restOfEnd,
} from "./last-words.ts";
import { mostTelling } from "./most-telling.ts";
import { headLine, longestTitle, type SummaryRoom, summaryLines } from "./session-item.ts";

const mostSessions = 10;
/** More than are shown, because some sessions tell little or nothing. */
const sessionsLookedAt = 60;
const mostHighlights = 5;
/** More are read than are shown, because the same command may have run many times. */
const highlights = { importance: 5, perSession: 15 } as const;
/** Older sessions only show what they said was left to do: their plans, questions and results are mostly outdated. */
const mostWithLastWords = 3;
/** A session without an end is taken for over after this time without activity. */
const silenceMs = hourMs;
const leadingDays = /^\d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)? /;
const room: SummaryRoom = { narrative: 400, decisions: 3, commits: 240, files: 5 };

/**
 * The other sessions of the project in which somebody worked last: their summaries, or the most important of what
 * happened in them. A session may have been resumed days after it began.
 */
export function recentSessionsSection({ store }: Ground): Section {
  return async (request) =>
    withSpareLines(store.read.sql, request.view, await toldSessions(store.read, request));
}

interface ToldSession {
  readonly id: string;
  readonly item: SectionItem;
  /** Whether its summary was made by rules. */
  readonly isByRules: boolean;
  readonly isOver: boolean;
}

/** The sessions that have something to show, the last one first. */
async function toldSessions(
  read: Connection,
  { sessionId, view, session: asking, now }: ContextRequest,
): Promise<ToldSession[]> {
  const asker = asking?.agentId ?? (view.filter.kind === "agent" ? view.filter.agentId : null);
  const { sql } = read;
  const newest = await newestSessions(sql, view, sessionsLookedAt, sessionId);
  const ids = newest.map(({ id }) => id);
  const lastWork = await lastWorkIn(sql, ids);
  const sessions = newest
    .map((past) => ({ ...past, lastActiveAt: lastWork.get(past.id) ?? past.endedAt ?? past.updatedAt }))
    .toSorted((a, b) => b.lastActiveAt - a.lastActiveAt);
  const summarized = await summariesOf(read, ids);
  const others = sessions.filter(({ id }) => !summarized.has(id)).map(({ id }) => id);
  const found = await highlightsOf(sql, others, view.filter, highlights);
  const decisions = standingDecisions(
    sessions.map(({ id, lastActiveAt }) => ({
      id,
      lastActiveAt,
      keyDecisions: summarized.get(id)?.keyDecisions ?? [],
    })),
    await newestVersions(sql, view, now),
  );
  return sessions.flatMap((past) => {
    const { id } = past;
    const session = { ...past, by: otherThan(asker, past.agentId) };
    const summary = summarized.get(id);
    const lines =
      summary === undefined
        ? highlightLines(
            session,
            found.filter((highlight) => highlight.sessionId === id),
          )
        : summaryLines(session, { ...summary, keyDecisions: decisions.get(id) ?? [] }, room);
    if (lines.length === 0) return [];
    const isByRules = summary !== undefined && narrativeParts(summary.narrative).size > 0;
    return [{ id, item: { lines }, isByRules, isOver: isOver(past, now) }];
  });
}

/** The most telling of the sessions, with what their last answers and plans tell beyond their items. */
async function withSpareLines(
  sql: Sql,
  view: ProjectView,
  all: readonly ToldSession[],
): Promise<SectionItem[]> {
  const answers = await lastAnswersOf(
    sql,
    all.map(({ id }) => id),
    view.filter,
  );
  const told = mostTelling(
    all.map((one) => [one, tellingText(one, answers.get(one.id) ?? [])] as const),
    { most: mostSessions, newest: mostWithLastWords },
  );
  const newest = told.slice(0, mostWithLastWords).map(({ id }) => id);
  const plans = await lastPlansOf(sql, newest, view.filter);
  const over = told.filter(({ id, isOver }) => isOver && newest.includes(id)).map(({ id }) => id);
  // Some agents report no answers at all.
  const broken = answers.size === 0 ? undefined : await unansweredPromptsOf(sql, over, view.filter);
  const words = told.map(({ id }) => ({ answers: answers.get(id) ?? [], plan: plans.get(id) }));
  const leftOf = await leftOfWork(sql, view, words);
  return told.map(({ id, item, isByRules }, at) => {
    const said = words[at] ?? { answers: [], plan: undefined };
    const isNewest = at === 0;
    const isOld = !newest.includes(id);
    const ends = isOld || !isByRules ? [] : otherEnds(item.lines, said.answers);
    const left = isOld
      ? itemsToldLeft(item.lines, said.answers, { isNewest, leftOf })
      : [...brokenOff(item.lines, broken?.get(id)), ...leftToDo(item.lines, said, { isNewest, leftOf })];
    const rest = isByRules ? restOfEnd([...item.lines, ...ends, ...left], said.answers) : [];
    return { ...item, spare: [rest, ends, left] };
  });
}

/** What a session tells, but not when it was. */
function tellingText({ item }: ToldSession, answers: readonly Answer[]): string {
  const lines = item.lines.map(({ text }) => text.replace(leadingDays, ""));
  return [...lines, lastInformative(answers)].join("\n");
}

/** Only reads what was done since if anything was left to do. */
async function leftOfWork(sql: Sql, view: ProjectView, words: readonly LastWords[]): Promise<LeftOf> {
  const times = words.flatMap((said) => leftWorkAt(said) ?? []);
  return times.length === 0 ? nothingDone : leftSince(sql, view, Math.min(...times));
}

/** Whether nobody works in the session any more. */
function isOver({ endedAt, updatedAt }: PastSession, now: number): boolean {
  return endedAt !== null || now - updatedAt > silenceMs;
}

function otherThan(asker: string | null, agentId: string | null): string | undefined {
  return agentId === null || agentId === asker ? undefined : agentId;
}

type Told = Pick<PastSession, "startedAt" | "summary" | "firstPrompt"> & {
  readonly by?: string | undefined;
  readonly lastActiveAt: number;
};

/** None if there is nothing to show. */
function highlightLines(session: Told, found: readonly Highlight[]): Line[] {
  const title = shortened(session.summary ?? session.firstPrompt ?? "", longestTitle);
  if (title === "" && found.length === 0) return [];
  const head = headLine(session, title);
  // The prompt that names the session is among them; its last plan is shown in another way.
  const others = found.filter((one) => !beginsWith(title, one.title) && !isPlanCall(one));
  const lines = new Map(others.map((highlight) => [highlight.title, highlightLine(highlight)]));
  return [head, ...[...lines.values()].slice(0, mostHighlights)];
}

function isPlanCall(one: Highlight): boolean {
  return isFileChange(one) && tellsPlan(one.title.slice(one.title.indexOf(": ") + 2));
}

/** Marks text that came from a tool or an import, as opposed to a person or the agent. */
function highlightLine({ type, title, channel }: Highlight): Line {
  const label = channel === "tool" || channel === "import" ? `${type}, from ${channel}` : type;
  return { kind: "detail", text: `[${label}] ${title}` };
}

import type { listObservations } from "../../capture/observations/operations.ts";
import type { Observation } from "../../capture/observations/record.ts";
import type { endSession, listSessions, startSession } from "../../capture/sessions/operations.ts";
import { givenTags } from "../../capture/sessions/origin-tags.ts";
import type { Session } from "../../capture/sessions/record.ts";
import type { summarizeSession } from "../../knowledge/summaries/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";
import { type DetailFields, detailLines } from "./details.ts";
import { pageLines } from "./page-lines.ts";
import { counted, moreAfter } from "./quantity.ts";
import { oneLine } from "./text.ts";
import { shownMoment, shownTime } from "./time.ts";
import { toldTitle } from "./told-title.ts";

/** The block itself, so that it can be put into a prompt. A generated session id goes to standard error. */
export function renderSessionStart(
  { session, resumed, context }: OutputOf<typeof startSession>,
  { say }: Terminal,
): string {
  if (!resumed && session.id.startsWith("ses_")) say(`session ${session.id}`);
  return context;
}

export function renderSessionEnd({ ended }: OutputOf<typeof endSession>): string {
  return ended ? "session completed" : "the session had been completed before";
}

export function renderSummary(answer: OutputOf<typeof summarizeSession>, { paint }: Terminal): string {
  if ("queued" in answer) return `the summary is being made (${answer.jobId})`;
  const { summary, warning } = answer;
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ["decisions", summary.keyDecisions],
    ["files", summary.filesModified],
  ];
  return [
    paint.bold(oneLine(summary.title, 200)),
    summary.narrative,
    ...lists.flatMap(([name, items]) =>
      items.length === 0 ? [] : [paint.dim(`${name}:`), ...items.map((item) => `- ${oneLine(item, 500)}`)],
    ),
    paint.dim(
      `by ${summary.provider}, of ${counted(summary.observationCount, "observation")}, quality ${summary.qualityScore} of 100`,
    ),
    ...(warning === undefined ? [] : [paint.yellow(oneLine(warning, 500))]),
  ].join("\n");
}

export function renderSessions(answer: OutputOf<typeof listSessions>, terminal: Terminal): string {
  return pageLines(answer, answer.sessions, terminal, "no sessions found", (session) => {
    const since = shownTime(session.startedAt, terminal.isForPeople);
    const facts = [...shownTags(session), session.status, amountIn(session), since].join(", ");
    const title = session.summaryDetail?.title || session.summary || session.firstPrompt || "";
    return [session.id, session.project, terminal.paint.dim(facts), { whole: title }];
  });
}

export function renderObservations(answer: OutputOf<typeof listObservations>, terminal: Terminal): string {
  const { paint, isForPeople } = terminal;
  const { session } = answer;
  const since = `started ${shownTime(session.startedAt, isForPeople)}`;
  const facts = [...shownTags(session), session.status, amountIn(session), since].join(", ");
  const head = inColumns([[paint.bold(session.id), session.project, facts]], terminal);
  const starts = new Set(answer.begun);
  const shown = answer.observations.filter(({ id }) => !starts.has(id));
  const rows = shown.map((observation) => [
    paint.dim(shownMoment(observation.timestamp, isForPeople)),
    observation.type,
    { whole: toldTitle(observation) },
    paint.dim(observation.id),
  ]);
  const left =
    starts.size === 0
      ? []
      : [
          paint.dim(
            `the starts of ${counted(starts.size, "tool call")} are left out beside their ends; --json has them`,
          ),
        ];
  const more = moreAfter(answer, answer.observations, paint);
  return [...head, ...inColumns(rows, terminal), ...left, ...more].join("\n");
}

function shownTags(session: Session): string[] {
  return givenTags(session).map((tag) => oneLine(tag, 40));
}

function amountIn({ observationCount, commitShas }: Session): string {
  const observations = counted(observationCount, "observation");
  return commitShas.length === 0 ? observations : `${observations}, ${counted(commitShas.length, "commit")}`;
}

/** An observation in full. */
export function observationDetails(observation: Observation, { paint, isForPeople }: Terminal): string {
  const facts: DetailFields = [
    ["id", observation.id],
    ["session", observation.sessionId],
    ["type", observation.type],
    ["when", shownMoment(observation.timestamp, isForPeople)],
    ["tool", observation.toolName],
    ["files", observation.files.join(", ") || undefined],
    ["importance", `${observation.importance} of 10`],
  ];
  const list = observation.facts.map((fact) => `- ${fact}`);
  return [
    paint.bold(oneLine(observation.title, 200)),
    ...detailLines(facts, paint),
    "",
    observation.narrative,
    ...list,
  ].join("\n");
}

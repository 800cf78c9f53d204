import { isCarriedOut, reportsCallEnd } from "../../capture/observations/calls/tool-hooks.ts";
import { isNoProblem } from "../../capture/observations/outputs/refusals.ts";
import type { Trace } from "../../capture/observations/reads/history.ts";
import type { PastSession } from "../../capture/sessions/history.ts";
import { dayText, timeText } from "../../operation/fields.ts";
import { oneLine } from "../../text/cut.ts";
import { tally } from "../../text/tally.ts";
import { indexTokens } from "../../text/tokens.ts";
import { workConventions } from "./conventions.ts";
import { fileFrequencies } from "./file-frequencies.ts";
import type { ProjectProfile } from "./record.ts";
import { tellingConcept } from "./telling-concept.ts";

const mostTop = 15;
const mostErrors = 10;
/* The title of a failure that has no text but the exit code, such as a `grep` that found nothing. */
const saysNoCause = / failed(?:: exit code:? (?:-?\d+|null))?$/i;
const mostActivity = 10;
const longestActivity = 160;

interface ProjectHistory {
  readonly project: string;
  readonly agentId: string | undefined;
  /** Newest first. */
  readonly sessions: readonly PastSession[];
  /** Titles of the sessions that have a summary, by session id. */
  readonly summaryTitles: ReadonlyMap<string, string>;
  /** The observations of those sessions, in short. */
  readonly traces: readonly Trace[];
  /** Counts of the whole project. */
  readonly totals: { readonly sessions: number; readonly observations: number };
  readonly now: number;
}

/** Builds the profile of a project from its history. */
export function buildProfile(history: ProjectHistory): ProjectProfile {
  const { traces, totals } = history;
  const told = withoutRedundantStarts(traces);
  const concepts = conceptFrequencies(told, history.project).slice(0, mostTop);
  const files = fileFrequencies(told).slice(0, mostTop);
  return {
    project: history.project,
    updatedAt: timeText(history.now),
    topConcepts: concepts.map(({ value, count }) => ({ concept: value, frequency: count })),
    topFiles: files.map(({ value, count }) => ({ file: value, frequency: count })),
    conventions: workConventions(traces),
    commonErrors: commonErrors(traces),
    recentActivity: recentActivity(history),
    sessionCount: totals.sessions,
    totalObservations: totals.observations,
    summary: summaryOf(
      totals,
      concepts.map(({ value }) => value),
      files.map(({ value }) => value),
    ),
    ...(history.agentId === undefined ? {} : { agentId: history.agentId }),
  };
}

/** Of how many concepts, the most frequent ones, forms are joined: stemming thousands of rare ones would take long. */
const formsLookedAt = 500;

/** How many observations name each concept. Forms of a word, such as `price` and `prices`, are one concept. */
function conceptFrequencies(traces: readonly Trace[], project: string): ReturnType<typeof tally> {
  const tells = tellingConcept(project);
  const named = traces.map(({ concepts }) => concepts.filter(tells));
  const mostFrequentForms = new Map<string, string>();
  const formOf = new Map<string, string>();
  for (const { value } of tally(named.flat()).slice(0, formsLookedAt)) {
    const stem = indexTokens(value).join(" ") || value;
    const form = mostFrequentForms.get(stem) ?? value;
    mostFrequentForms.set(stem, form);
    formOf.set(value, form);
  }
  return tally(
    named.flatMap((concepts) => [...new Set(concepts.map((concept) => formOf.get(concept) ?? concept))]),
  );
}

/** Drops the starts of tool calls in sessions for which the ends are captured too. */
function withoutRedundantStarts(traces: readonly Trace[]): Trace[] {
  const endTold = new Set(
    traces.filter(({ hookType }) => reportsCallEnd(hookType)).map(({ sessionId }) => sessionId),
  );
  return traces.filter((trace) => isCarriedOut(trace) || !endTold.has(trace.sessionId));
}

/** Sorted newest first, so that among equally frequent errors the newest leads. */
function commonErrors(traces: readonly Trace[]): string[] {
  const errors = traces
    .filter(({ type }) => type === "error")
    .filter(({ title }) => !isNoProblem(title) && !saysNoCause.test(title))
    .sort((a, b) => b.timestamp - a.timestamp);
  return tally(errors.map(({ title }) => title))
    .slice(0, mostErrors)
    .map(({ value }) => value);
}

function recentActivity({ sessions, traces, summaryTitles }: ProjectHistory): string[] {
  const telling = new Map<string, Trace>();
  for (const trace of traces) {
    const best = telling.get(trace.sessionId);
    if (best === undefined || weighsMore(trace, best)) telling.set(trace.sessionId, trace);
  }
  const lines = sessions.flatMap((session) => {
    // A session without a summary may have the title that it was started with.
    const title = summaryTitles.get(session.id) ?? session.summary;
    const text = oneLine(
      title ?? telling.get(session.id)?.title ?? session.firstPrompt ?? "",
      longestActivity,
    );
    return text === "" ? [] : [`[${dayText(session.startedAt)}] ${text}`];
  });
  return lines.slice(0, mostActivity);
}

function weighsMore(trace: Trace, best: Trace): boolean {
  return (
    trace.importance > best.importance ||
    (trace.importance === best.importance && trace.timestamp > best.timestamp)
  );
}

function summaryOf(
  totals: ProjectHistory["totals"],
  concepts: readonly string[],
  files: readonly string[],
): string {
  if (totals.sessions === 0) return "No sessions yet.";
  const parts = [
    `${counted(totals.sessions, "session")} with ${counted(totals.observations, "observation")}`,
    ...(concepts.length === 0 ? [] : [`mainly about ${concepts.slice(0, 5).join(", ")}`]),
    ...(files.length === 0 ? [] : [`most active files ${files.slice(0, 3).join(", ")}`]),
  ];
  return `${parts.join("; ")}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

import { listObservations } from "../../capture/observations/operations.ts";
import type { Observation } from "../../capture/observations/record.ts";
import { startSession } from "../../capture/sessions/operations.ts";
import type { Session } from "../../capture/sessions/record.ts";
import { listMemories } from "../../knowledge/memories/operations.ts";
import type { Memory } from "../../knowledge/memories/record.ts";
import { roundTo } from "../../round-to.ts";
import { dayMs } from "../../time/durations.ts";
import { ask, type DemoAnswer } from "./ask.ts";
import { type Distilled, distil } from "./distil.ts";
import { type Replayed, replay } from "./replay.ts";
import {
  sampleMemories,
  sampleProject,
  sampleQuestions,
  sampleSecrets,
  sampleSessions,
} from "./sample/history.ts";
import { type ModelSettings, openScratchStore } from "./scratch-store.ts";
import { checkSecrets, type SecretCheck } from "./secret-check.ts";

/** The file whose history is shown. */
const fileShown = "src/queue/jobs.ts";

export interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** Changes to a file that followed one prompt. */
interface FileChanges {
  /** Time of the first change. */
  readonly timestamp: string;
  readonly sessionId: string;
  readonly edits: number;
  /** Title of the prompt before the change. */
  readonly prompt: string;
}

interface CaptureFigures {
  readonly sessions: number;
  readonly sessionsCompleted: number;
  readonly events: number;
  readonly observations: number;
  readonly duplicates: number;
  readonly memories: number;
  readonly latestMemories: number;
  readonly eventMs: Times;
}

/** The demo's complete report; `--json` prints it. Times are in milliseconds. */
export interface DemoReport {
  readonly project: string;
  /** From the first event to the last. */
  readonly days: number;
  readonly captured: CaptureFigures;
  readonly secrets: SecretCheck;
  readonly searchMs: Times;
  readonly questions: readonly DemoAnswer[];
  readonly answered: number;
  readonly file: { readonly path: string; readonly changes: readonly FileChanges[] };
  readonly context: { readonly text: string; readonly tokens: number };
  readonly distilled: Distilled;
}

/** Replays the recorded project in a fresh store at `home`. Rejects when `signal` aborts. */
export async function makeReport(
  home: string,
  signal: AbortSignal,
  model?: ModelSettings,
): Promise<DemoReport> {
  const { name: project, cwd } = sampleProject;
  const history = { project, sessions: sampleSessions, memories: sampleMemories };
  const store = await openScratchStore(home, sampleSessions[0]?.startedAt ?? "", model);
  try {
    const replayed = await replay(store, history, signal);
    const observations: Observation[] = [];
    const sessions: Session[] = [];
    for (const { sessionId } of sampleSessions) {
      const answer = await store.call(listObservations, { sessionId, raw: true });
      observations.push(...answer.observations);
      sessions.push(answer.session);
    }
    const listed = await store.call(listMemories, {});
    const memories = "memories" in listed ? listed.memories : [];
    const questions = await ask(store, project, sampleQuestions, replayed);
    signal.throwIfAborted();
    const next = await store.call(startSession, { sessionId: "next-session", project, cwd });
    const distilled = await distil(store, project);
    signal.throwIfAborted();
    const captured = capturedFigures(replayed, sessions, observations.length, memories);
    return {
      project,
      days: storyDays(),
      captured,
      secrets: checkSecrets(sampleSecrets, sampleSessions, [...observations, ...memories, next], home),
      searchMs: timesOf(questions.map(({ searchMs }) => searchMs)),
      questions,
      answered: questions.filter(({ answered }) => answered).length,
      file: { path: fileShown, changes: changesOf(fileShown, observations) },
      context: { text: next.context, tokens: next.tokenCount },
      distilled,
    };
  } finally {
    await store.close();
  }
}

function storyDays(): number {
  const times = sampleSessions.flatMap(({ events }) => events.map(({ at }) => Date.parse(at)));
  return Math.ceil((Math.max(...times) - Math.min(...times)) / dayMs);
}

function capturedFigures(
  replayed: Replayed,
  sessions: readonly Session[],
  observations: number,
  memories: readonly Memory[],
): CaptureFigures {
  const { events, duplicates, eventMs } = replayed;
  return {
    sessions: sessions.length,
    sessionsCompleted: sessions.filter(({ status }) => status === "completed").length,
    events,
    observations,
    duplicates,
    memories: memories.length,
    latestMemories: memories.filter(({ isLatest }) => isLatest).length,
    eventMs: timesOf(eventMs),
  };
}

/** The changes of a file, from observations in the order of time within each session. */
function changesOf(path: string, observations: readonly Observation[]): readonly FileChanges[] {
  const changes = new Map<string, FileChanges>();
  let prompt = { id: "", title: "" };
  for (const { id, files, hookType, toolName = "", timestamp, sessionId, title } of observations) {
    if (hookType === "prompt_submit") prompt = { id, title };
    if (hookType !== "post_tool_use" || !["Edit", "Write"].includes(toolName) || !files.includes(path))
      continue;
    const earlier = changes.get(prompt.id) ?? { timestamp, sessionId, edits: 0, prompt: prompt.title };
    changes.set(prompt.id, { ...earlier, edits: earlier.edits + 1 });
  }
  return [...changes.values()];
}

function timesOf(durations: readonly number[]): Times {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) =>
    roundTo(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0, 2);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

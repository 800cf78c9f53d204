import type { Observation } from "../src/capture/observations/record.ts";
import { type Sandbox, startDaemon } from "../test/cli/program-process.ts";
import type { HookEvent } from "./transcript-events.ts";
import { answers, type TranscriptQuestion } from "./transcript-questions.ts";

export interface ObserveTimes {
  /** Duration of each single process. */
  readonly daemonUpMs: readonly number[];
  readonly daemonDownMs: readonly number[];
}

export interface RankedAnswer {
  readonly question: TranscriptQuestion;
  /** Rank of the first right event among the hits, from 1; absent when there is none. */
  readonly rank?: number;
  readonly hits: readonly string[];
}

/**
 * Sends events with `memsvc observe`: the first half while the daemon runs, the second half without it. The last
 * `singlesEachSide` events before the change and the first ones after it get a process each; the rest go with --batch.
 */
export async function sendEvents(
  sandbox: Sandbox,
  events: readonly HookEvent[],
  singlesEachSide: number,
): Promise<ObserveTimes> {
  const middle = Math.floor(events.length / 2);
  const [from, to] = [Math.max(0, middle - singlesEachSide), middle + singlesEachSide];
  const daemon = await startDaemon(sandbox);
  await sendBatch(sandbox, events.slice(0, from));
  const daemonUpMs = await sendSingly(sandbox, events.slice(from, middle));
  const exit = await daemon.stop();
  if (exit !== 0) throw new Error(`the daemon ended with ${exit}`);
  const daemonDownMs = await sendSingly(sandbox, events.slice(middle, to));
  await sendBatch(sandbox, events.slice(to));
  return { daemonUpMs, daemonDownMs };
}

async function sendBatch(sandbox: Sandbox, events: readonly HookEvent[]): Promise<void> {
  if (events.length === 0) return;
  const stdin = events.map((event) => JSON.stringify(event)).join("\n");
  await observe(sandbox, ["observe", "--strict", "--batch"], stdin);
}

async function sendSingly(sandbox: Sandbox, events: readonly HookEvent[]): Promise<number[]> {
  const durations: number[] = [];
  for (const event of events) {
    durations.push(await observe(sandbox, ["observe", "--strict"], JSON.stringify(event)));
  }
  return durations;
}

async function observe(sandbox: Sandbox, args: readonly string[], stdin: string): Promise<number> {
  const { exit, stderr, tookMs } = await sandbox.run(args, { stdin });
  if (exit !== 0 || stderr !== "") throw new Error(`observe ended with ${exit}: ${stderr}`);
  return tookMs;
}

/** Asks each question with `memsvc search` and looks for the right events among at most `limit` hits. */
export async function askQuestions(
  sandbox: Sandbox,
  questions: readonly TranscriptQuestion[],
  observations: readonly Observation[],
  limit: number,
): Promise<readonly RankedAnswer[]> {
  const toolUseIds = new Map(observations.map(({ id, raw }) => [id, toolUseIdOf(raw?.data)]));
  const ranked: RankedAnswer[] = [];
  for (const question of questions) {
    const { stdout } = await sandbox.run(["search", question.question, "--limit", String(limit), "--json"]);
    const { results } = JSON.parse(stdout) as {
      results: readonly { readonly obsId: string; readonly title: string }[];
    };
    const place = results.findIndex(({ obsId }) => answers(question, toolUseIds.get(obsId)));
    ranked.push({
      question,
      ...(place < 0 ? {} : { rank: place + 1 }),
      hits: results.map(({ title }) => title),
    });
  }
  return ranked;
}

function toolUseIdOf(event: unknown): unknown {
  return typeof event === "object" && event !== null && "tool_use_id" in event
    ? event.tool_use_id
    : undefined;
}

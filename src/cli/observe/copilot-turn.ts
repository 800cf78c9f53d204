import { setTimeout as pause } from "node:timers/promises";
import type { Payload } from "../../capture/observations/hooks/hook-fields.ts";
import { isObject } from "../../json/is-object.ts";
import { isText } from "../../json/is-text.ts";
import { jsonIn } from "../../json/json-in.ts";
import { lastLines } from "./last-lines.ts";
import { failedOutcome } from "./observe-outcome.ts";
import type { TranscriptRead } from "./transcript-read.ts";

/*
 * Copilot CLI does not tell its hooks the answer of a turn. It writes the answer into its transcript, one JSON object
 * per line, and then that it runs this hook; the hook may run before that is written.
 */

const longestWaitMs = 1_000;
const pauseMs = 50;

/** The end of a turn, with its answer if the transcript has one. */
export async function turnOfCopilot(stop: Payload): Promise<TranscriptRead> {
  try {
    const answer = answerIn(await linesBefore(stop));
    return { payloads: [answer === undefined ? stop : { ...stop, last_assistant_message: answer }] };
  } catch (error) {
    return { payloads: [stop], failure: failedOutcome(error, "the answer was not captured") };
  }
}

/** What was written before the hook was run, the last line first; nothing if that is not written in time. */
async function linesBefore({ transcript_path: path, timestamp }: Payload): Promise<string[]> {
  const isRun = (line: string) =>
    line.startsWith('{"type":"hook.start"') && line.includes(`"timestamp":${Date.parse(String(timestamp))}`);
  for (let waitedMs = 0; waitedMs <= longestWaitMs; waitedMs += pauseMs) {
    const lines = lastLines(String(path));
    const at = lines.findIndex(isRun);
    if (at >= 0) return lines.slice(at);
    await pause(pauseMs);
  }
  return [];
}

function answerIn(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const entry = /^\{"type":"(?:assistant|user)\.message"/.test(line) ? jsonIn(line) : undefined;
    // Messages of sub-agents have an id of their agent.
    if (!isObject(entry) || entry.agentId !== undefined) continue;
    const { type, data } = entry;
    // What was said before the turn's prompt is the answer of another turn.
    if (type === "user.message") return undefined;
    if (isObject(data) && isText(data.content)) return data.content;
  }
  return undefined;
}

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Payload } from "../../capture/observations/hooks/hook-fields.ts";
import { isObject } from "../../json/is-object.ts";
import { isText } from "../../json/is-text.ts";
import { jsonIn } from "../../json/json-in.ts";
import { homeOfUser } from "../../system/home-of-user.ts";
import { lastLines } from "./last-lines.ts";
import { failedOutcome } from "./observe-outcome.ts";
import type { TranscriptRead } from "./transcript-read.ts";

/*
 * Kimi Code does not tell its hooks the answer of a turn, nor where its transcript is: in a folder of the session,
 * below one of the working folder. It writes the answer into it, one JSON object per line, before it runs this hook.
 */

const longestWaitMs = 1_000;
const pauseMs = 50;

/** The end of a turn, with its answer if the transcript has one. */
export async function turnOfKimi(stop: Payload): Promise<TranscriptRead> {
  try {
    const path = transcriptOf(String(stop.session_id));
    const answer = path === undefined ? undefined : await answerIn(path);
    return { payloads: [isText(answer) ? { ...stop, last_assistant_message: answer } : stop] };
  } catch (error) {
    return { payloads: [stop], failure: failedOutcome(error, "the answer was not captured") };
  }
}

function transcriptOf(sessionId: string): string | undefined {
  const home = process.env.KIMI_CODE_HOME?.trim() || join(homeOfUser(), ".kimi-code");
  const sessions = join(home, "sessions");
  if (!existsSync(sessions)) return undefined;
  return readdirSync(sessions)
    .map((folder) => join(sessions, folder, sessionId, "agents", "main", "wire.jsonl"))
    .find((path) => existsSync(path));
}

async function answerIn(path: string): Promise<string | undefined> {
  for (let waitedMs = 0; waitedMs <= longestWaitMs; waitedMs += pauseMs) {
    const step = lastStep(lastLines(path));
    if (step !== undefined) return step;
    await pause(pauseMs);
  }
  return undefined;
}

/** The texts of the turn's last step; undefined as long as its end is not written. */
function lastStep(lines: readonly string[]): string | undefined {
  let texts: string[] | undefined;
  for (const line of lines) {
    const entry = /^\{"type":"(?:turn\.prompt|context\.append_loop_event)"/.test(line) ? jsonIn(line) : {};
    if (!isObject(entry)) continue;
    if (entry.type === "turn.prompt") break;
    const { type, part, finishReason } = isObject(entry.event) ? entry.event : {};
    if (texts === undefined && type !== undefined) {
      // After a step that called tools there is another one.
      if (type !== "step.end" || finishReason === "tool_use") return undefined;
      texts = [];
    }
    if (type === "step.begin") break;
    if (type === "content.part" && isObject(part) && part.type === "text" && isText(part.text))
      texts?.unshift(part.text);
  }
  return texts?.join("\n");
}

import { readFileSync } from "node:fs";
import type { Payload } from "../../capture/observations/hooks/hook-fields.ts";
import { isObject } from "../../json/is-object.ts";
import { isText } from "../../json/is-text.ts";
import { failedOutcome } from "./observe-outcome.ts";
import type { TranscriptRead } from "./transcript-read.ts";

/*
 * Droid has no hook for calls that fail, tells no answer, and `droid exec` tells no prompt. Its transcript, one JSON
 * object per line, has all of them when a turn ends.
 */

/** The end of a turn, and what the hooks did not tell of the turn. */
export function turnOfDroid(stop: Payload): TranscriptRead {
  try {
    const transcript = readFileSync(String(stop.transcript_path), "utf8");
    const entries = lastTurn(transcript);
    const untold = [...untoldPrompts(entries, transcript), ...failedCalls(entries)];
    const { session_id, transcript_path, cwd } = stop;
    return {
      payloads: [
        ...untold.map((event) => ({ session_id, transcript_path, cwd, ...event })),
        { ...stop, last_assistant_message: answerIn(entries, stop.message_id) },
      ],
    };
  } catch (error) {
    return { payloads: [stop], failure: failedOutcome(error, "only the end of the turn was captured") };
  }
}

interface Entry {
  readonly id: unknown;
  readonly timestamp: unknown;
  readonly role: unknown;
  readonly blocks: readonly Payload[];
}

/** The messages since the end of the turn before. */
function lastTurn(transcript: string): Entry[] {
  const entries: Entry[] = [];
  for (const line of transcript.split("\n").toReversed()) {
    const read = lineOf(line);
    if (read === undefined) continue;
    const message = isObject(read.message) ? read.message : {};
    if (read.type === "agent_turn_outcome" || message.hookEventName === "Stop") break;
    const { visibility, role, content } = message;
    // Only the user's and the model's own messages are visible to both.
    if (visibility !== undefined || !Array.isArray(content)) continue;
    entries.unshift({ id: read.id, timestamp: read.timestamp, role, blocks: content.filter(isObject) });
  }
  return entries;
}

function lineOf(line: string): Payload | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return isObject(read) ? read : undefined;
  } catch {
    // The last line may be blank, or still being written.
    return undefined;
  }
}

function untoldPrompts(entries: readonly Entry[], transcript: string): Payload[] {
  return entries.flatMap(({ id, timestamp, role, blocks }) => {
    const prompt = textOf(blocks);
    // The run of a hook names the message that it was for.
    const wasTold = transcript.includes(`"hookParentId":${JSON.stringify(id)}`);
    if (role !== "user" || prompt === "" || wasTold) return [];
    return [{ hook_event_name: "UserPromptSubmit", prompt, timestamp }];
  });
}

function failedCalls(entries: readonly Entry[]): Payload[] {
  const calls = new Map(
    entries.flatMap(({ blocks }) =>
      blocks.filter(({ type }) => type === "tool_use").map((call) => [call.id, call] as const),
    ),
  );
  return entries.flatMap(({ timestamp, blocks }) =>
    blocks.flatMap(({ type, is_error: isError, tool_use_id: id, content }) => {
      const call = calls.get(id);
      if (type !== "tool_result" || isError !== true || call === undefined) return [];
      const error = Array.isArray(content) ? textOf(content.filter(isObject)) : content;
      const { name, input } = call;
      return [
        { hook_event_name: "PostToolUseFailure", tool_name: name, tool_input: input, error, timestamp },
      ];
    }),
  );
}

function answerIn(entries: readonly Entry[], messageId: unknown): string {
  const said = entries.find(({ id, role }) => id === messageId && role === "assistant");
  return textOf(said?.blocks ?? []);
}

function textOf(blocks: readonly Payload[]): string {
  const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => text);
  return texts.filter(isText).join("\n");
}

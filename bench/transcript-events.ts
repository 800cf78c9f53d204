import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import {
  type Fields,
  isFromUser,
  isInterruption,
  objectOf,
  outcomeOf,
  readTranscriptLine,
  textOf,
} from "../src/capture/replay/transcript-line.ts";

/*
 * Turns a Claude Code transcript (.jsonl, gzipped or not) into the hook events that the agent would have sent while it
 * was written. What no hook reports is left out: lines of sub-agents, progress, thinking, and messages that the program
 * itself wrote as the user.
 */

/** A hook payload as Claude Code sends it, with the time of its line in the transcript. */
export interface HookEvent extends Fields {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly cwd: string;
  /** ISO time. */
  readonly timestamp: string;
}

interface Line {
  readonly fields: Fields;
  readonly type: string;
  readonly timestamp: string;
  readonly content: readonly Fields[];
}

const gzipMagic = 0x8b1f;

export function readTranscript(path: string): readonly HookEvent[] {
  const bytes = readFileSync(path);
  const text = bytes.length > 2 && bytes.readUInt16LE(0) === gzipMagic ? gunzipSync(bytes) : bytes;
  return eventsOf(text.toString("utf8"));
}

/** The events of a transcript's text, in order. Lines that cannot be parsed are skipped. */
export function eventsOf(text: string): readonly HookEvent[] {
  const lines = text.split("\n").flatMap(readLine);
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return [];
  const envelope = { session_id: textOf(first.fields.sessionId), cwd: textOf(first.fields.cwd) };
  const events: HookEvent[] = [];
  const calls = new Map<string, Fields>();
  let lastWords: { readonly text: string; readonly timestamp: string } | undefined;
  const send = (timestamp: string, name: string, more: Fields) =>
    events.push({ ...envelope, hook_event_name: name, timestamp, ...more });
  const endTurn = () => {
    if (lastWords === undefined) return;
    send(lastWords.timestamp, "Stop", { stop_hook_active: false, last_assistant_message: lastWords.text });
    lastWords = undefined;
  };

  send(first.timestamp, "SessionStart", { source: "startup", ...modelOf(lines) });
  for (const { fields, type, timestamp, content } of lines) {
    if (fields.subtype === "compact_boundary") {
      send(timestamp, "PreCompact", { trigger: objectOf(fields.compactMetadata).trigger ?? "auto" });
      send(timestamp, "SessionStart", { source: "compact" });
    }
    for (const part of content) {
      if (type === "assistant" && part.type === "text" && textOf(part.text).trim() !== "") {
        lastWords = { text: textOf(part.text), timestamp };
      } else if (part.type === "tool_use") {
        const call = { tool_name: part.name, tool_input: part.input, tool_use_id: part.id };
        calls.set(textOf(part.id), call);
        send(timestamp, "PreToolUse", call);
      } else if (part.type === "tool_result") {
        const call = calls.get(textOf(part.tool_use_id));
        if (call === undefined) continue;
        const outcome = outcomeOf(part, fields.toolUseResult);
        send(timestamp, "error" in outcome ? "PostToolUseFailure" : "PostToolUse", { ...call, ...outcome });
      } else if (type === "user" && part.type === "text") {
        if (isInterruption(textOf(part.text))) lastWords = undefined;
        else if (isFromUser(fields)) {
          endTurn();
          send(timestamp, "UserPromptSubmit", { prompt: part.text });
        }
      }
    }
  }
  endTurn();
  send(last.timestamp, "SessionEnd", { reason: "other" });
  return events;
}

function readLine(text: string): Line[] {
  // The last line may be incomplete when the transcript is still being written.
  const line = text.trim() === "" ? undefined : readTranscriptLine(text);
  if (line === undefined) return [];
  const { fields, type, blocks } = line;
  const { timestamp, sessionId, isSidechain } = fields;
  if (typeof timestamp !== "string" || typeof sessionId !== "string" || isSidechain === true) return [];
  return [{ fields, type, timestamp, content: blocks }];
}

function modelOf(lines: readonly Line[]): Fields {
  const spoken = lines.find(({ type }) => type === "assistant");
  return spoken === undefined ? {} : { model: objectOf(spoken.fields.message).model };
}

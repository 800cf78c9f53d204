import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf, type HookEvent, readTranscript } from "../../bench/transcript-events.ts";
import { transcriptName, transcriptQuestions } from "../../bench/transcript-questions.ts";
import { askQuestions, sendEvents } from "../../bench/transcript-run.ts";
import { observeInputFrom } from "../../src/capture/observations/hooks/hook-payload.ts";
import { capStrings } from "../../src/capture/observations/raw-event.ts";
import type { Observation } from "../../src/capture/observations/record.ts";
import { redactValue } from "../../src/text/redaction/redact.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";
import { storedObservations } from "./stored-observations.ts";

// The processes around the daemon's end are single ones, the bulk of 383 events goes in two batches.
const singlesEachSide = 8;
const hitsAsked = 5;

const evalFolder = process.env.MEMSVC_EVAL_DIR;
const path = evalFolder === undefined ? "" : join(evalFolder, "transcripts", transcriptName);
const isThere = existsSync(path);
if (!isThere) {
  process.stdout.write(`skipped: MEMSVC_EVAL_DIR names no folder with transcripts/${transcriptName}\n`);
}

/** What a store keeps of an event: all that was sent but secrets and the ends of huge strings. */
function expectedOf(event: HookEvent): unknown {
  const read = observeInputFrom(event, {
    now: () => new Date(0),
    projectOf: () => "",
    fallbackCwd: "/",
  });
  if (read.kind !== "event") return read.reason;
  const { hookType, timestamp, data } = read.input;
  return { hookType, timestamp, data: capStrings(redactValue(data)) };
}

describe.runIf(isThere)("the real transcript of a long session", () => {
  const sandbox = forAllTests(openSandbox);
  let observations: readonly Observation[];
  const events = isThere ? readTranscript(path) : [];

  beforeAll(async () => {
    buildOnce();
    await sendEvents(sandbox, events, singlesEachSide);
    observations = await storedObservations(sandbox, events[0]?.session_id ?? "");
  });

  test("is captured whole: each event once, in order of time, equal to what was sent except secrets", () => {
    const kept = observations.map(({ hookType, timestamp, raw }) => ({
      hookType,
      timestamp,
      data: raw?.data,
    }));
    const sent = events.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(events.length);
    expect(kept).toHaveLength(events.length);
    expect(kept).toEqual(sent.map(expectedOf));
  });

  test("answers at least nine of ten questions about it within the first five hits", async () => {
    const answers = await askQuestions(sandbox, transcriptQuestions, observations, hitsAsked);
    const missed = answers.filter(({ rank }) => rank === undefined);
    expect(answers).toHaveLength(10);
    expect(missed.length, JSON.stringify(missed, undefined, 1)).toBeLessThanOrEqual(1);
  });
});

describe("a transcript", () => {
  const line = (second: number, fields: Record<string, unknown>) =>
    JSON.stringify({
      sessionId: "s-1",
      cwd: "/work",
      timestamp: `2026-01-01T10:00:0${second}.000Z`,
      ...fields,
    });
  const says = (content: unknown) => ({ type: "assistant", message: { model: "m-1", content } });
  const gets = (content: unknown, more = {}) => ({ type: "user", message: { content }, ...more });
  const use = { type: "tool_use", id: "t-1", name: "Bash", input: { command: "ls" } };
  const result = (more = {}) => ({
    type: "tool_result",
    tool_use_id: "t-1",
    content: "a.txt",
    ...more,
  });
  const named = (lines: readonly string[]) =>
    eventsOf(lines.join("\n")).map(({ hook_event_name, session_id, cwd, timestamp, ...more }) => [
      hook_event_name,
      Number(timestamp.slice(18, 19)),
      more,
    ]);
  const call = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t-1" };

  test("becomes the events that its agent sent, from the start to the end of the session", () => {
    const lines = [
      line(0, gets("look around")),
      line(1, says([{ type: "text", text: "I look." }, use])),
      line(2, gets([result()], { toolUseResult: { stdout: "a.txt", stderr: "" } })),
      line(3, says([{ type: "text", text: "One file." }])),
      line(4, gets("thanks")),
      line(5, says([{ type: "text", text: "Gladly." }])),
    ];
    expect(named(lines)).toEqual([
      ["SessionStart", 0, { source: "startup", model: "m-1" }],
      ["UserPromptSubmit", 0, { prompt: "look around" }],
      ["PreToolUse", 1, call],
      ["PostToolUse", 2, { ...call, tool_response: { stdout: "a.txt", stderr: "" } }],
      ["Stop", 3, { stop_hook_active: false, last_assistant_message: "One file." }],
      ["UserPromptSubmit", 4, { prompt: "thanks" }],
      ["Stop", 5, { stop_hook_active: false, last_assistant_message: "Gladly." }],
      ["SessionEnd", 5, { reason: "other" }],
    ]);
  });

  test("yields a tool failure with its text, and a rejection as an interruption without a Stop", () => {
    const failed = { is_error: true, content: "Exit code 1" };
    const lines = [
      line(1, says([{ type: "text", text: "I try." }, use])),
      line(2, gets([result(failed)], { toolUseResult: "Error: Exit code 1" })),
      line(3, says([use])),
      line(4, gets([result(failed)], { toolUseResult: "User rejected tool use" })),
      line(5, gets([{ type: "text", text: "[Request interrupted by user for tool use]" }])),
    ];
    expect(named(lines).slice(1)).toEqual([
      ["PreToolUse", 1, call],
      ["PostToolUseFailure", 2, { ...call, error: "Exit code 1", is_interrupt: false }],
      ["PreToolUse", 3, call],
      ["PostToolUseFailure", 4, { ...call, error: "Exit code 1", is_interrupt: true }],
      ["SessionEnd", 5, { reason: "other" }],
    ]);
  });

  test("skips lines of sub-agents, lines that the program added, and an incomplete last line", () => {
    const lines = [
      JSON.stringify({ type: "file-history-snapshot" }),
      line(0, gets("caveat", { isMeta: true })),
      line(1, gets("go", { isSidechain: true })),
      line(2, { type: "system", subtype: "compact_boundary", compactMetadata: { trigger: "auto" } }),
      line(3, gets("This session is being continued", { isCompactSummary: true })),
      line(4, says([{ type: "thinking", thinking: "hm" }])),
      '{"type": "user", "mess',
    ];
    expect(named(lines)).toEqual([
      ["SessionStart", 0, { source: "startup", model: "m-1" }],
      ["PreCompact", 2, { trigger: "auto" }],
      ["SessionStart", 2, { source: "compact" }],
      ["SessionEnd", 4, { reason: "other" }],
    ]);
    expect(eventsOf("")).toEqual([]);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { turnOfDroid } from "./droid-turn.ts";

/* Lines as Droid 0.225 writes them, shortened. */

let seconds = 0;

function message(id: string, role: string, content: readonly object[], more: object = {}) {
  seconds += 1;
  const timestamp = `2026-11-30T12:00:${String(seconds).padStart(2, "0")}.000Z`;
  return { type: "message", id, timestamp, message: { role, content, ...more } };
}

const said = (text: string) => ({ type: "text", text });
const asked = (id: string, text: string) => message(id, "user", [said(text)], { interactionMode: "auto" });
const answered = (id: string, text: string) => message(id, "assistant", [said(text)]);
const reminded = (text: string) => message("context-1", "user", [said(text)], { visibility: "llm_only" });
const hooked = (hookEventName: string, hookParentId: string) =>
  message("h", "user", [], { visibility: "user_only", hookEventName, hookParentId });
const called = (callId: string, name: string, input: object) =>
  message(`of ${callId}`, "assistant", [{ type: "tool_use", id: callId, name, input }]);
const gave = (callId: string, content: unknown, isError: boolean) =>
  message(`end of ${callId}`, "user", [
    { type: "tool_result", tool_use_id: callId, is_error: isError, content },
  ]);
const turnEnd = { type: "agent_turn_outcome", turnId: "u1", reason: "completed" };

const stop = { hook_event_name: "Stop", session_id: "s", cwd: "/code/shop", message_id: "a" };

function turnIn(lines: readonly object[], more: object = {}, end = "\n") {
  const path = join(temporaryFolder(), "s.jsonl");
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n") + end);
  const { payloads, failure } = turnOfDroid({ ...stop, ...more, transcript_path: path });
  const common = { session_id: "s", cwd: "/code/shop", transcript_path: path };
  return { payloads, failure, common };
}

const failing = [
  called("c1", "Execute", { command: "npm test" }),
  gave("c1", "Error: Command failed (exit code: 1)", true),
];

test("the end of a turn brings the failed calls and the answer, in the order of the turn", () => {
  const lines = [
    { type: "session_start", id: "s" },
    reminded("The tools are …"),
    asked("u1", "Test it"),
    called("c0", "Read", { file_path: "a.ts" }),
    gave("c0", "text", false),
    ...failing,
    called("c2", "Edit", { file_path: "a.ts" }),
    gave("c2", [said("Error: not found"), { type: "image" }], true),
    gave("c9", "of a call that is not in the transcript", true),
    answered("a", "A test fails."),
  ];
  const { payloads, common, failure } = turnIn(lines);
  expect(failure).toBeUndefined();
  const timestamp = expect.stringMatching(/^2026-11-30T/u);
  expect(payloads).toEqual([
    { ...common, hook_event_name: "UserPromptSubmit", prompt: "Test it", timestamp },
    {
      ...common,
      hook_event_name: "PostToolUseFailure",
      tool_name: "Execute",
      tool_input: { command: "npm test" },
      error: "Error: Command failed (exit code: 1)",
      timestamp,
    },
    {
      ...common,
      hook_event_name: "PostToolUseFailure",
      tool_name: "Edit",
      tool_input: { file_path: "a.ts" },
      error: "Error: not found",
      timestamp,
    },
    { ...common, ...stop, last_assistant_message: "A test fails." },
  ]);
});

test("a prompt that its own hook has told is not told again", () => {
  const lines = [hooked("UserPromptSubmit", "u1"), asked("u1", "Test it"), answered("a", "Done.")];
  expect(turnIn(lines).payloads.map(({ hook_event_name }) => hook_event_name)).toEqual(["Stop"]);
});

test.each([
  ["after the end of a turn", turnEnd],
  ["after the hook at the end of a turn", hooked("Stop", "a0")],
])("what was told %s is not told again", (_, end) => {
  const lines = [asked("u0", "Earlier"), ...failing, answered("a0", "So."), end, answered("a", "Done.")];
  const { payloads, common } = turnIn(lines);
  expect(payloads).toEqual([{ ...common, ...stop, last_assistant_message: "Done." }]);
});

test("a line that is still being written is left out", () => {
  const { payloads } = turnIn([answered("a", "Done.")], {}, '\n{"type":"mess');
  expect(payloads).toEqual([expect.objectContaining({ last_assistant_message: "Done." })]);
});

test("the end of a turn is told without a transcript, too, with the reason", () => {
  const lost = { ...stop, transcript_path: "/nowhere/.factory/sessions/s.jsonl" };
  expect(turnOfDroid(lost)).toEqual({
    payloads: [lost],
    failure: {
      exit: expect.any(Number),
      problem: expect.stringMatching(/nowhere.*; only the end of the turn was captured/su),
    },
  });
});

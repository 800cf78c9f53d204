import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { turnOfCopilot } from "./copilot-turn.ts";

/* Lines as Copilot CLI 1.0.102 writes them, shortened. */

const event = (type: string, data: object, more: object = {}) => ({ type, data, id: "8ce41176", ...more });
const asked = (content: string, more?: object) => event("user.message", { content }, more);
const said = (content: string, more?: object) =>
  event("assistant.message", { content, toolRequests: [] }, more);
const ofSubagent = { agentId: "8e04a948" };
const timestamp = "2026-11-30T16:42:11.352Z";
const hook = event("hook.start", { hookType: "agentStop", input: { timestamp: Date.parse(timestamp) } });

const stop = {
  hook_event_name: "Stop",
  session_id: "s",
  timestamp,
  cwd: "/code/shop",
  stop_reason: "end_turn",
  stop_hook_active: false,
};

const textOf = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

function transcriptOf(...lines: readonly object[]) {
  const path = join(temporaryFolder(), "events.jsonl");
  writeFileSync(path, textOf(lines));
  return { path, ended: { ...stop, transcript_path: path } };
}

describe("the end of a turn of Copilot CLI", () => {
  test.each([
    ["the last message", [asked("Fix it"), said("I look."), said("Fixed.\n\nOne test is left.")]],
    [
      "the last message with a text",
      [asked("Fix it"), said("Fixed.\n\nOne test is left."), event("tool.execution_complete", {}), said(" ")],
    ],
    [
      "the last message that no sub-agent wrote",
      [
        asked("Fix it"),
        said("Fixed.\n\nOne test is left."),
        asked("Look", ofSubagent),
        said("In a.ts", ofSubagent),
      ],
    ],
  ])("has the answer: %s", async (_which, lines) => {
    const { ended } = transcriptOf(...lines, hook, said("Of a later turn"));
    expect(await turnOfCopilot(ended)).toEqual({
      payloads: [{ ...ended, last_assistant_message: "Fixed.\n\nOne test is left." }],
    });
  });

  test("has no answer of the turn before", async () => {
    const { ended } = transcriptOf(asked("Fix it"), said("Fixed."), asked("And this"), hook);
    expect(await turnOfCopilot(ended)).toEqual({ payloads: [ended] });
  });

  test("has the answer that is written only after the hook began", async () => {
    const { path, ended } = transcriptOf(asked("Fix it"), said("I look."));
    const read = turnOfCopilot(ended);
    appendFileSync(path, textOf([said("Fixed."), hook]));
    expect((await read).payloads).toEqual([{ ...ended, last_assistant_message: "Fixed." }]);
  });

  test("has no earlier message for an answer that is not written in time", async () => {
    const { ended } = transcriptOf(asked("Fix it"), said("I look."));
    expect(await turnOfCopilot(ended)).toEqual({ payloads: [ended] });
  });

  test("is captured without the answer if the transcript cannot be read, which is said", async () => {
    const ended = { ...stop, transcript_path: join(temporaryFolder(), "events.jsonl") };
    const { payloads, failure } = await turnOfCopilot(ended);
    expect(payloads).toEqual([ended]);
    expect(failure?.problem).toContain("the answer was not captured");
  });
});

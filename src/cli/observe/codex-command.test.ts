import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { commandOfCodex } from "./codex-command.ts";

/* Lines as Codex 0.171 writes them, shortened. */

const item = (id: string, more: object) => ({
  timestamp: "2026-11-30T16:26:48.516Z",
  type: "event_msg",
  payload: { type: "item_completed", turn_id: "t", item: { type: "CommandExecution", id, ...more } },
});
const failed = (id: string, exit_code: number) =>
  item(id, {
    command: ["/bin/bash", "-lc", "npm test"],
    status: "failed",
    aggregated_output: "x",
    exit_code,
  });
const called = (call_id: string) => ({
  type: "response_item",
  payload: { type: "function_call", id: `fc_${call_id}`, name: "exec_command", call_id },
});

const ended = {
  hook_event_name: "PostToolUse",
  session_id: "s",
  turn_id: "t",
  tool_name: "Bash",
  tool_use_id: "call_1",
  tool_input: { command: "npm test" },
  tool_response: "1 failed\n",
};

function readFrom(text: string) {
  const path = join(temporaryFolder(), "rollout.jsonl");
  writeFileSync(path, text);
  const event = { ...ended, transcript_path: path };
  return { event, read: commandOfCodex(event) };
}

const linesOf = (...lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

describe("the end of a command of Codex", () => {
  test("has the exit code that the transcript has for the call, also if others ran beside it", () => {
    const transcript = linesOf(
      failed("call_0", 4),
      called("call_1"),
      failed("call_1", 3),
      failed("call_2", 0),
    );
    const { event, read } = readFrom(transcript);
    expect(read).toEqual({ payloads: [{ ...event, exit_code: 3 }] });
  });

  test("has the exit code of the later of two calls with one id", () => {
    const { read } = readFrom(linesOf(failed("call_1", 3), called("call_1"), failed("call_1", 0)));
    expect(read.payloads).toMatchObject([{ exit_code: 0 }]);
  });

  test.each([
    ["does not have it yet", linesOf(called("call_1"))],
    ["is still being written", linesOf(failed("call_1", 3)).slice(0, -20)],
    ["has something else with its id", linesOf(item("call_1", { type: "McpToolCall", exit_code: 3 }))],
    ["has no exit code for it", linesOf(item("call_1", { status: "declined" }))],
    ["is empty", ""],
  ])("is as the hook told it if the transcript %s", (_what, transcript) => {
    const { event, read } = readFrom(transcript);
    expect(read).toEqual({ payloads: [event] });
  });

  test("is found at the end of a long transcript", () => {
    const long = linesOf({ payload: { text: "é".repeat(1024 * 1024) } });
    const { event, read } = readFrom(long + linesOf(failed("call_1", 3)));
    expect(read).toEqual({ payloads: [{ ...event, exit_code: 3 }] });
  });

  test("is captured without it if the transcript cannot be read, which is said", () => {
    const event = { ...ended, transcript_path: join(temporaryFolder(), "none.jsonl") };
    const { payloads, failure } = commandOfCodex(event);
    expect(payloads).toEqual([event]);
    expect(failure?.problem).toContain("a command's exit code was not captured");
  });
});

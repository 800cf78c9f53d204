import { describe, expect, test } from "vitest";
import { isNoProblem } from "../outputs/refusals.ts";
import { compressByRules } from "../rules/compress.ts";
import { context, picked, read } from "./hook-fixture.ts";
import { observeInputFrom } from "./hook-payload.ts";

/** What Kimi Code 2.1 sends with every event. */
const kimi = (hook_event_name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  hook_event_name,
  session_id: "session_ff1c9aa6",
  cwd: "/code/shop",
  client_type: "kimi_code_cli",
  session_title: "Make two",
  ...more,
});

const compressed = (payload: Record<string, unknown>) => {
  const input = read(payload);
  return compressByRules({ ...input, timestamp: Date.parse(input.timestamp) });
};

describe("Kimi Code", () => {
  test("is known by the type of its client", () => {
    const start = kimi("SessionStart", { source: "startup", model: "k2", profile: "agent" });
    expect(observeInputFrom(start, context)).toMatchObject({
      agent: "kimi-code",
      input: { hookType: "session_start", sessionId: "session_ff1c9aa6", data: { model: "k2" } },
    });
  });

  test("sends a prompt in parts, which are one text", () => {
    const prompt = [
      { type: "text", text: "Fix add in calc.js" },
      { type: "text", text: "and test it" },
    ];
    expect(picked(kimi("UserPromptSubmit", { prompt, is_steer: false })).userPrompt).toBe(
      "Fix add in calc.js\nand test it",
    );
  });

  test("tells a turn that an error ended", () => {
    const failed = kimi("StopFailure", {
      error_type: "APIStatusError",
      error_message: "429 too many requests",
    });
    expect(compressed(failed)).toMatchObject({
      type: "notification",
      title: "stop_failure: 429 too many requests",
    });
  });

  test.each([
    ["out\nboom\nCommand failed with exit code: 4.", 4, "out\nboom"],
    ["Process exited with code 3\nCommand failed with exit code: 3.", 3, "Exit code 3"],
    ["Command killed by timeout (2s)", undefined, "Command killed by timeout (2s)"],
  ])("a command that ended with %j has failed", (message, exitCode, error) => {
    const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_call_id: "call_1_0" };
    const failed = kimi("PostToolUseFailure", {
      ...call,
      error: { code: "internal", message, retryable: false },
    });
    expect(read(failed).hookType).toBe("post_tool_failure");
    const { error: told, exitCode: code } = picked(failed);
    expect({ told, code }).toEqual({ told: error, code: exitCode });
  });

  test.each([
    ["Bash", 'Tool "Bash" was not run because the user rejected the approval request.'],
    ["Edit", "read failed: path does not exist"],
    ["Edit", "old_string not found in calc.js, the file contents may be out of date."],
    ["Read", '"nofile.js" does not exist.'],
  ])("a call of %s that was refused or wrong is no problem of the project", (tool_name, message) => {
    const call = { tool_name, tool_input: { path: "calc.js" }, tool_call_id: "call_2_0" };
    const failed = kimi("PostToolUseFailure", { ...call, error: { code: "internal", message } });
    expect(isNoProblem(compressed(failed).title)).toBe(true);
  });

  test("an edit names its file", () => {
    const edited = kimi("PostToolUse", {
      tool_name: "Edit",
      tool_input: { path: "calc.js", old_string: "a - b", new_string: "a + b" },
      tool_call_id: "call_4_0",
      tool_output: "Replaced 1 occurrence in calc.js",
    });
    expect(compressed(edited)).toMatchObject({ type: "file_edit", files: ["calc.js"] });
  });

  test("a sub-agent's task is what it was asked, without what it is told of the repository", () => {
    const prompt = "<git-context>\nWorking directory: /code/shop\n</git-context>\n\nFind the tests of calc";
    expect(compressed(kimi("SubagentStart", { agent_name: "explore", prompt }))).toMatchObject({
      type: "subagent",
      title: "Subagent explore: Find the tests of calc",
    });
    const ended = kimi("SubagentStop", { agent_name: "explore", response: "There are no tests." });
    expect(compressed(ended).title).toBe("Subagent explore: There are no tests.");
    const answered = kimi("PostToolUse", {
      tool_name: "Agent",
      tool_input: { description: "look", prompt: "Find the tests of calc", subagent_type: "explore" },
      tool_call_id: "call_6_0",
      tool_output:
        'agent_id: agent-0\nstatus: completed\n\n[summary]\nThere are no tests.\n\nresume_hint: Continue with Agent(resume="agent-0").',
    });
    expect(picked(answered).outputText).toBe("There are no tests.");
  });

  test("the end of a turn says nothing of its own, neither the client nor the session's title", () => {
    expect(compressed(kimi("Stop", { stop_hook_active: false }))).toMatchObject({
      type: "other",
      title: "Stop",
    });
  });

  test("a notification says what it is about", () => {
    const told = kimi("Notification", {
      sink: "context",
      agent_id: "main",
      notification_type: "task.completed",
      title: "Background process completed",
      body: "Wall time: 1.999 seconds\nbg completed.",
    });
    expect(compressed(told)).toMatchObject({
      type: "notification",
      title: expect.stringContaining("Background process completed"),
      narrative: expect.stringContaining("bg completed."),
    });
  });
});

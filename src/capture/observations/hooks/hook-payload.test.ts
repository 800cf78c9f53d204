import { describe, expect, test } from "vitest";
import { context, picked, read } from "./hook-fixture.ts";
import { observeInputFrom } from "./hook-payload.ts";

const claude = (hook_event_name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  session_id: "c-1",
  transcript_path: "/home/u/.claude/projects/shop/c-1.jsonl",
  cwd: "/code/shop",
  permission_mode: "default",
  hook_event_name,
  ...more,
});
const gemini = (hook_event_name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  session_id: "g-1",
  transcript_path: "/tmp/g-1.json",
  cwd: "/code/shop",
  hook_event_name,
  timestamp: "2025-02-01T10:00:00.000Z",
  ...more,
});
describe("a payload in the API's own shape", () => {
  test("is accepted unchanged", () => {
    const own = {
      ...{ hookType: "stop", sessionId: "s", project: "shop", cwd: "/code/shop" },
      ...{ timestamp: "2025-01-01", data: { a: 1 }, agentId: "ann" },
    };
    expect(read(own)).toEqual(own);
  });

  test("gets missing fields from the context", () => {
    expect(read({ hookType: "stop", sessionId: "s", data: "done" })).toEqual({
      ...{ hookType: "stop", sessionId: "s", project: "project of /fallback", cwd: "/fallback" },
      ...{ timestamp: "2025-01-31T09:08:07.065Z", data: { text: "done" } },
    });
  });

  test.each([1, 1_000])("may give its time in milliseconds or seconds, divided by %d", (unit) => {
    const timestamp = Date.parse("2025-02-01T10:00:00Z") / unit;
    expect(read({ hookType: "stop", sessionId: "s", timestamp }).timestamp).toBe("2025-02-01T10:00:00.000Z");
  });

  test.each([
    [{ hookType: "stop" }, "the payload has no sessionId"],
    [{ hookType: 1, sessionId: "s" }, "hookType must be a text that is not blank"],
  ])("is not recognised as %j", (payload, reason) => {
    expect(observeInputFrom(payload, context)).toEqual({ kind: "unrecognised", reason });
  });
});

describe("Claude Code", () => {
  test("a tool event keeps every field except the envelope", () => {
    const tool = {
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_response: { stdout: "a" },
      tool_use_id: "t1",
    };
    expect(read(claude("PostToolUse", tool))).toEqual({
      ...{ hookType: "post_tool_use", sessionId: "c-1", project: "project of /code/shop", cwd: "/code/shop" },
      timestamp: "2025-01-31T09:08:07.065Z",
      data: {
        transcript_path: "/home/u/.claude/projects/shop/c-1.jsonl",
        permission_mode: "default",
        ...tool,
      },
    });
  });

  test.each([
    ["SessionStart", "session_start"],
    ["UserPromptSubmit", "prompt_submit"],
    ["PreToolUse", "pre_tool_use"],
    ["PostToolUse", "post_tool_use"],
    ["PostToolUseFailure", "post_tool_failure"],
    ["PermissionRequest", "notification"],
    ["Notification", "notification"],
    ["SubagentStart", "subagent_start"],
    ["SubagentStop", "subagent_stop"],
    ["Stop", "stop"],
    ["PreCompact", "pre_compact"],
    ["TaskCompleted", "task_completed"],
    ["SessionEnd", "session_end"],
    ["PostCompact", "post_compact"],
    ["TeammateIdle", "teammate_idle"],
    ["constructor", "constructor"],
  ])("%s has the hook type %s", (event, hookType) => {
    expect(read(claude(event)).hookType).toBe(hookType);
  });

  test("prompts and last messages are picked up", () => {
    expect(picked(claude("UserPromptSubmit", { prompt: "Add a cart" })).userPrompt).toBe("Add a cart");
    expect(picked(claude("Stop", { last_assistant_message: "Done." })).assistantResponse).toBe("Done.");
  });

  test("a permission request is a notification that names the tool, not a command that ran", () => {
    const asked = claude("PermissionRequest", { tool_name: "Bash", tool_input: { command: "rm -r dist" } });
    expect(picked(asked)).toMatchObject({
      notificationKind: "permission_request",
      message: "Bash: rm -r dist",
    });
  });

  test("an event name that only Claude Code uses identifies it even with a timestamp", () => {
    const timestamp = "2025-02-01T10:00:00Z";
    expect(read(claude("UserPromptSubmit", { prompt: "Add a cart", timestamp }))).toMatchObject({
      hookType: "prompt_submit",
      timestamp: "2025-02-01T10:00:00.000Z",
    });
    expect(read(claude("PostToolUseFailure", { error: "no", timestamp })).hookType).toBe("post_tool_failure");
  });

  test("a payload without cwd gets the hook's directory, one without session_id is not recognised", () => {
    expect(read({ hook_event_name: "Stop", session_id: "c" }).cwd).toBe("/fallback");
    expect(observeInputFrom({ hook_event_name: "Stop" }, context)).toEqual({
      kind: "unrecognised",
      reason: "the claude-code payload has no session_id",
    });
  });
});

describe("Codex", () => {
  test("hook payloads have Claude Code's shape, including commands given as lists", () => {
    const tool_input = { command: ["bash", "-lc", "cargo test"] };
    const payload = claude("PostToolUse", {
      turn_id: "7",
      model: "gpt",
      tool_name: "shell",
      tool_input,
      tool_response: "Exit code: 101\nfailed",
    });
    expect(read(payload)).toMatchObject({ hookType: "post_tool_use", data: { turn_id: "7" } });
    expect(picked(payload)).toMatchObject({ input: { command: "cargo test" }, exitCode: 101 });
  });

  test("the notify payload is a stop with the assistant's text", () => {
    const payload = {
      type: "agent-turn-complete",
      "thread-id": "th-1",
      "turn-id": "12",
      cwd: "/code/shop",
      client: "codex-tui",
      "input-messages": ["Rename foo"],
      "last-assistant-message": "Rename complete.",
    };
    expect(read(payload)).toMatchObject({ hookType: "stop", sessionId: "th-1", cwd: "/code/shop" });
    expect(read(payload).data).toEqual({
      ...{ "turn-id": "12", client: "codex-tui", "input-messages": ["Rename foo"] },
      assistantResponse: "Rename complete.",
    });
  });
});

describe("Gemini CLI", () => {
  test.each([
    ["BeforeTool", "pre_tool_use"],
    ["AfterTool", "post_tool_use"],
    ["BeforeAgent", "prompt_submit"],
    ["AfterAgent", "stop"],
    ["SessionStart", "session_start"],
    ["SessionEnd", "session_end"],
    ["PreCompress", "pre_compact"],
    ["Notification", "notification"],
    ["BeforeToolSelection", "before_tool_selection"],
  ])("%s has the hook type %s and the payload's own time", (event, hookType) => {
    expect(observeInputFrom(gemini(event), context)).toMatchObject({
      input: { hookType, sessionId: "g-1", timestamp: "2025-02-01T10:00:00.000Z" },
      agent: "gemini-cli",
    });
    expect(read(gemini(event)).data).toEqual({ transcript_path: "/tmp/g-1.json" });
  });

  test("tool output, errors and responses are picked up", () => {
    const answer = { llmContent: "3 files", returnDisplay: "" };
    expect(picked(gemini("AfterTool", { tool_name: "glob", tool_response: answer })).outputText).toBe(
      "3 files",
    );
    const failure = { llmContent: "x", error: { message: "no such folder" } };
    expect(picked(gemini("AfterTool", { tool_name: "glob", tool_response: failure })).error).toBe(
      "no such folder",
    );
    const silent = { llmContent: "", returnDisplay: "", error: { message: "exit 1" } };
    expect(picked(gemini("AfterTool", { tool_name: "glob", tool_response: silent }))).toMatchObject({
      error: "exit 1",
      outputText: "",
    });
    const response = { prompt: "Add a cart", prompt_response: "Added." };
    expect(picked(gemini("AfterAgent", response)).assistantResponse).toBe("Added.");
  });

  test("a time without an offset is UTC, an invalid time becomes the current time", () => {
    expect(read(gemini("AfterTool", { timestamp: "2025-02-01T10:00:00" })).timestamp).toBe(
      "2025-02-01T10:00:00.000Z",
    );
    for (const timestamp of ["soon", null, true])
      expect(read(claude("Stop", { timestamp })).timestamp).toBe("2025-01-31T09:08:07.065Z");
  });
});

test.each([
  [{ hello: "world" }],
  [{ hook_event_name: " ", session_id: "c" }],
  [{ conversation_id: "c", workspace_roots: ["/code/shop"] }],
  [{ session_id: "c", turn_id: "7" }],
  [{ session_id: "c", client_type: "cli" }],
  [{ session_id: "c", timestamp: "2025-02-01T10:00:00Z", permission_mode: "default" }],
  [{ session_id: "c", parent_agent_id: "p", tool_result: { text_result_for_llm: "x" } }],
])("does not recognise %j, which is of an unknown agent or names no event", (payload) => {
  expect(observeInputFrom(payload, context)).toEqual({
    kind: "unrecognised",
    reason: "the payload has neither hookType nor hook_event_name",
  });
});

test("takes an event or a field that is named like a member of objects as it is", () => {
  const payload = { hook_event_name: "toString", session_id: "c", constructor: "x" };
  expect(read(payload)).toMatchObject({ hookType: "to_string", data: { constructor: "x" } });
  expect(read(gemini("AfterAgent", { constructor: "x" })).data).toMatchObject({ constructor: "x" });
});

test("reads the exit code of a Copilot CLI command from the last line of its output", () => {
  const ran = (text: string) => ({
    ...{ hook_event_name: "PostToolUse", session_id: "p-1", timestamp: "2026-11-26T11:36:06.231Z" },
    ...{
      cwd: "/code/shop",
      tool_name: "Bash",
      tool_input: { command: "cat no; exit 3", description: "Read" },
    },
    tool_result: { result_type: "success", text_result_for_llm: text },
  });
  const failed = ran("cat: no: No such file or directory\n<shellId: 1 completed with exit code 3>");
  expect(picked(failed)).toMatchObject({
    toolOutput: "cat: no: No such file or directory",
    exitCode: 3,
  });
  expect(picked(ran("<detached command with shellId: build completed with exit code -1>"))).toMatchObject({
    outputText: "",
    exitCode: -1,
  });
  // The same command that said the same is another call.
  const again = ran("cat: no: No such file or directory\n<shellId: 2 completed with exit code 3>");
  expect(read(again).data).not.toEqual(read(failed).data);
  const quoted = "<shellId: 1 completed with exit code 3>\nis what it ends with";
  expect(picked(ran(quoted))).toMatchObject({ toolOutput: quoted });
});

test("reads Copilot CLI's tool_result as output and its other fields like Claude Code's", () => {
  const payload = {
    hook_event_name: "PostToolUse",
    session_id: "p-1",
    timestamp: "2025-02-01T10:00:00.000Z",
    cwd: "/code/shop",
    tool_name: "Bash",
    tool_input: { command: "npm test" },
    tool_result: { result_type: "success", text_result_for_llm: "12 passed" },
  };
  expect(read(payload)).toMatchObject({ hookType: "post_tool_use", sessionId: "p-1", cwd: "/code/shop" });
  expect(picked(payload)).toMatchObject({ toolName: "Bash", toolOutput: "12 passed" });
  const end = { hook_event_name: "SessionEnd", session_id: "p-1", cwd: "/code/shop", reason: "user_exit" };
  expect(read({ ...end, timestamp: "2025-02-01T10:00:00.000Z" }).hookType).toBe("session_end");
});

test("reads what a sub-agent of Copilot CLI did as part of its parent's session, and no end of a turn", () => {
  const ofSubagent = (hook_event_name: string, more: object) => ({
    ...{ hook_event_name, session_id: "sub-1", timestamp: "2026-11-28T18:23:23.310Z", cwd: "/code/shop" },
    ...{ agent_id: "sub-1", agent_type: "explore", parent_agent_id: "p-1", ...more },
  });
  const call = { tool_name: "Bash", tool_input: { command: "ls; exit 2" } };
  const tool_result = {
    result_type: "success",
    text_result_for_llm: "calc.js\n<shellId: 0 completed with exit code 2>",
  };
  const events = [
    ofSubagent("UserPromptSubmit", { prompt: "Find the tests of calc" }),
    ofSubagent("PreToolUse", call),
    ofSubagent("PostToolUse", { ...call, tool_result }),
    { ...ofSubagent("SubagentStop", { last_assistant_message: "There are none." }), session_id: "p-1" },
  ];
  expect(events.map(read).map(({ sessionId, hookType }) => [sessionId, hookType])).toEqual(
    ["subagent_start", "pre_tool_use", "post_tool_use", "subagent_stop"].map((type) => ["p-1", type]),
  );
  expect(picked(events[2] ?? {})).toMatchObject({ toolOutput: "calc.js", exitCode: 2 });
  const stop = ofSubagent("Stop", { stop_reason: "end_turn", stop_hook_active: false });
  expect(observeInputFrom(stop, context)).toMatchObject({ kind: "nothing" });
  expect(read({ ...stop, session_id: "p-1", agent_id: undefined, parent_agent_id: undefined }).hookType).toBe(
    "stop",
  );
});

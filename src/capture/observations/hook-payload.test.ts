import { describe, expect, test } from "vitest";
import { eventType } from "./event-type.ts";
import { type HookContext, type ObserveInput, observeInputFrom } from "./hook-payload.ts";
import { type PickedFields, pickUpFields } from "./pickup.ts";

const context: HookContext = {
  now: () => new Date("2025-01-31T09:08:07.065Z"),
  projectOf: (cwd) => `project of ${cwd}`,
  fallbackCwd: "/fallback",
};

function read(payload: Record<string, unknown>): ObserveInput {
  const result = observeInputFrom(payload, context);
  if (result.kind === "unrecognised") throw new Error(result.reason);
  return result.input;
}

function picked(payload: Record<string, unknown>): PickedFields {
  const input = read(payload);
  return pickUpFields({ ...input, timestamp: Date.parse(input.timestamp) });
}

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
const cursor = (hook_event_name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  conversation_id: "k-1",
  generation_id: "gen-1",
  workspace_roots: ["/code/shop"],
  hook_event_name,
  ...more,
});

describe("the API's own shape", () => {
  test("is taken as it is", () => {
    const own = {
      ...{ hookType: "stop", sessionId: "s", project: "shop", cwd: "/code/shop" },
      ...{ timestamp: "2025-01-01", data: { a: 1 }, agentId: "ann" },
    };
    expect(read(own)).toEqual(own);
  });

  test("gets what it lacks from the context", () => {
    expect(read({ hookType: "stop", sessionId: "s", data: "done" })).toEqual({
      ...{ hookType: "stop", sessionId: "s", project: "project of /fallback", cwd: "/fallback" },
      ...{ timestamp: "2025-01-31T09:08:07.065Z", data: { text: "done" } },
    });
  });

  test("has its own time in milliseconds too, as native payloads may", () => {
    const timestamp = Date.parse("2025-02-01T10:00:00Z");
    expect(read({ hookType: "stop", sessionId: "s", timestamp }).timestamp).toBe("2025-02-01T10:00:00.000Z");
  });

  test("without a session id is not recognised", () => {
    expect(observeInputFrom({ hookType: "stop" }, context)).toEqual({
      kind: "unrecognised",
      reason: "the payload has no sessionId",
    });
  });
});

describe("Claude Code", () => {
  test("a tool use keeps everything but the envelope", () => {
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
  ])("%s is %s", (event, hookType) => {
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

  test("an event that only Claude Code has stays its own when the payload bears a time", () => {
    const timestamp = "2025-02-01T10:00:00Z";
    expect(read(claude("UserPromptSubmit", { prompt: "Add a cart", timestamp }))).toMatchObject({
      hookType: "prompt_submit",
      timestamp: "2025-02-01T10:00:00.000Z",
    });
    expect(read(claude("PostToolUseFailure", { error: "no", timestamp })).hookType).toBe("post_tool_failure");
  });

  test("a payload without cwd belongs to where the hook runs, one without session is not recognised", () => {
    expect(read({ hook_event_name: "Stop", session_id: "c" }).cwd).toBe("/fallback");
    expect(observeInputFrom({ hook_event_name: "Stop" }, context)).toEqual({
      kind: "unrecognised",
      reason: "the claude-code payload has no session_id",
    });
  });
});

describe("Codex", () => {
  test("hooks have Claude Code's shape, commands in lists included", () => {
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
  ])("%s is %s, at the payload's own time", (event, hookType) => {
    expect(read(gemini(event))).toMatchObject({
      hookType,
      sessionId: "g-1",
      timestamp: "2025-02-01T10:00:00.000Z",
    });
    expect(read(gemini(event)).data).toEqual({ transcript_path: "/tmp/g-1.json" });
  });

  test("tool answers, failures and responses are picked up", () => {
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

  test("a time without an offset is UTC, and one that is none is now", () => {
    expect(read(gemini("AfterTool", { timestamp: "2025-02-01T10:00:00" })).timestamp).toBe(
      "2025-02-01T10:00:00.000Z",
    );
    expect(read(gemini("AfterTool", { timestamp: "soon" })).timestamp).toBe("2025-01-31T09:08:07.065Z");
  });
});

describe("Cursor", () => {
  test.each<[string, Record<string, unknown>, string, string, Partial<PickedFields>]>([
    ["sessionStart", { session_id: "k-1", composer_mode: "agent" }, "session_start", "other", {}],
    ["sessionEnd", { reason: "completed" }, "session_end", "other", { reason: "completed" }],
    [
      "beforeSubmitPrompt",
      { prompt: "Add a cart", attachments: [] },
      "prompt_submit",
      "conversation",
      { userPrompt: "Add a cart" },
    ],
    [
      "preToolUse",
      { tool_name: "Read", tool_input: { path: "a.ts" } },
      "pre_tool_use",
      "file_read",
      { toolName: "Read" },
    ],
    [
      "postToolUse",
      { tool_name: "Grep", tool_output: "{}", duration: 5 },
      "post_tool_use",
      "search",
      { durationMs: 5 },
    ],
    [
      "postToolUseFailure",
      { tool_name: "Shell", error_message: "timeout" },
      "post_tool_failure",
      "error",
      { error: "timeout" },
    ],
    [
      "beforeShellExecution",
      { command: "npm test", cwd: "" },
      "pre_tool_use",
      "command_run",
      { input: { command: "npm test" } },
    ],
    [
      "afterShellExecution",
      { command: "npm test", output: "5 passed", duration: 1234 },
      ...(["post_tool_use", "command_run"] as const),
      { input: { command: "npm test" }, outputText: "5 passed", durationMs: 1234 },
    ],
    [
      "beforeMCPExecution",
      { tool_name: "ping", tool_input: "{}", url: "https://m" },
      "pre_tool_use",
      "other",
      { toolName: "ping" },
    ],
    [
      "afterMCPExecution",
      { tool_name: "db_query", tool_input: '{"query":"select 1"}', result_json: '{"rows":1}', duration: 9 },
      ...(["post_tool_use", "other"] as const),
      { input: { pattern: "select 1" }, outputText: '{"rows":1}', durationMs: 9 },
    ],
    [
      "beforeReadFile",
      { file_path: "/code/shop/a.ts", content: "x" },
      "pre_tool_use",
      "file_read",
      { files: ["a.ts"] },
    ],
    [
      "afterFileEdit",
      { file_path: "/code/shop/a.ts", edits: [{ old_string: "1", new_string: "2" }] },
      ...(["post_tool_use", "file_edit"] as const),
      { files: ["a.ts"], input: { oldText: "1", newText: "2" } },
    ],
    [
      "afterTabFileEdit",
      { file_path: "/code/shop/a.ts", edits: [] },
      "post_tool_use",
      "file_edit",
      { files: ["a.ts"] },
    ],
    ["afterAgentResponse", { text: "All done." }, "stop", "conversation", { assistantResponse: "All done." }],
    ["stop", { status: "completed", loop_count: 0 }, "stop", "other", { stopReason: "completed" }],
    [
      "subagentStart",
      { subagent_type: "explore", task: "Find it" },
      "subagent_start",
      "subagent",
      { subagentKind: "explore", subagentPrompt: "Find it" },
    ],
    [
      "subagentStop",
      { subagent_type: "explore", summary: "Found." },
      "subagent_stop",
      "subagent",
      { assistantResponse: "Found." },
    ],
    ["preCompact", { trigger: "auto" }, "pre_compact", "other", { trigger: "auto" }],
    [
      "afterAgentThought",
      { text: "Hm." },
      "after_agent_thought",
      "conversation",
      { assistantResponse: "Hm." },
    ],
    ["PostToolUse", { tool_name: "Shell" }, "post_tool_use", "command_run", { toolName: "Shell" }],
  ])("%s with %j is %s", (event, more, hookType, type, expected) => {
    const payload = cursor(event, more);
    expect(read(payload)).toMatchObject({ hookType, sessionId: "k-1", cwd: "/code/shop" });
    expect(picked(payload)).toMatchObject(expected);
    expect(eventType({ hookType }, picked(payload))).toBe(type);
  });

  test("the directory of a command stays with the event when it is not the workspace", () => {
    const { data, cwd } = read(cursor("afterShellExecution", { command: "ls", cwd: "/code/shop/web" }));
    expect([cwd, data.cwd, data.generation_id]).toEqual(["/code/shop", "/code/shop/web", "gen-1"]);
  });
});

test("a payload of no known agent is not recognised", () => {
  expect(observeInputFrom({ hello: "world" }, context)).toEqual({
    kind: "unrecognised",
    reason: "the payload has neither hookType nor hook_event_name",
  });
});

test("what a tool gave Copilot CLI is its output, and everything else of its payloads is read as Claude Code's", () => {
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

import { describe, expect, test } from "vitest";
import { eventType } from "../event-type.ts";
import type { PickedFields } from "../pick-up-fields.ts";
import { compressByRules } from "../rules/compress.ts";
import { picked, read } from "./hook-fixture.ts";

const cursor = (hook_event_name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  conversation_id: "k-1",
  generation_id: "gen-1",
  workspace_roots: ["/code/shop"],
  hook_event_name,
  ...more,
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

  test.each(["postToolUse", "afterMCPExecution"])("tool output in JSON is parsed: %s", (event) => {
    const output = JSON.stringify({ output: "Error: boom\n3 failed", exitCode: 1 });
    const payload = cursor(event, {
      tool_name: "Shell",
      tool_input: { command: "npm test" },
      [event === "postToolUse" ? "tool_output" : "result_json"]: output,
    });
    const { type, title, facts } = compressByRules({ ...read(payload), timestamp: 0 });
    expect([type, title]).toEqual(["command_run", "npm test (exit 1)"]);
    expect(facts).toEqual(expect.arrayContaining(["exit code: 1", "error: Error: boom", "error: 3 failed"]));
  });

  test("tool output that is not a JSON object, or nested too deep to send, stays text", () => {
    const deep = `{"a":`.repeat(60) + 1 + "}".repeat(60);
    for (const tool_output of ["{ not JSON", "[1]", deep])
      expect(read(cursor("postToolUse", { tool_output })).data).toMatchObject({ tool_output });
  });

  test("a Windows workspace path loses the leading slash of its URL", () => {
    const workspace_roots = ["/c:/Users/me/shop"];
    const payload = cursor("afterFileEdit", { workspace_roots, file_path: "C:\\Users\\me\\shop\\src\\a.ts" });
    expect(read(payload)).toMatchObject({ cwd: "c:/Users/me/shop", project: "project of c:/Users/me/shop" });
    expect(picked(payload).files).toEqual(["src/a.ts"]);
    const inUrl = cursor("afterFileEdit", { workspace_roots, file_path: "/c:/Users/me/shop/src/a.ts" });
    expect(picked(inUrl).files).toEqual(["src/a.ts"]);
  });

  test("an event keeps its command's directory when it differs from the workspace", () => {
    const { data, cwd } = read(cursor("afterShellExecution", { command: "ls", cwd: "/code/shop/web" }));
    expect([cwd, data.cwd, data.generation_id]).toEqual(["/code/shop", "/code/shop/web", "gen-1"]);
  });
});

import { describe, expect, test } from "vitest";
import { eventType, observationTypes } from "./event-type.ts";
import { pickUpFields } from "./pick-up-fields.ts";

const typeOf = (hookType: string, data: unknown): string =>
  eventType(
    { hookType },
    pickUpFields({ hookType, sessionId: "s1", project: "shop", cwd: "/code/shop", timestamp: 0, data }),
  );

describe("eventType", () => {
  test.each<[string, unknown, string]>([
    ["post_tool_failure", { tool: "Read" }, "error"],
    ["post_tool_use", { tool: "Bash", error: "boom" }, "error"],
    ["prompt_submit", { prompt: "Hi", tool: "Bash" }, "conversation"],
    ["post_tool_use", { tool: "Conversation", input: "Hi" }, "conversation"],
    ["stop", { last_assistant_message: "Done." }, "conversation"],
    ["stop", { stop_reason: "end_turn" }, "other"],
    ["subagent_start", { agent_type: "Explore" }, "subagent"],
    ["subagent_stop", { agent_type: "Explore" }, "subagent"],
    ["task_completed", { task_subject: "Cart" }, "task"],
    ["notification", { message: "waiting" }, "notification"],
    ["post_tool_use", { changeKind: "add", files: ["a.ts"] }, "file_write"],
    ["post_tool_use", { changeKind: "create" }, "file_write"],
    ["post_tool_use", { change_kind: "change", files: ["a.ts"] }, "file_edit"],
    ["post_tool_use", { change_kind: "unlink", files: ["a.ts"] }, "file_edit"],
    ["post_tool_use", { tool: "WebFetch" }, "web_fetch"],
    ["post_tool_use", { tool: "WebSearch" }, "web_fetch"],
    ["post_tool_use", { tool: "mcp__browser__click" }, "web_fetch"],
    ["post_tool_use", { tool: "http_get" }, "web_fetch"],
    ["post_tool_use", { tool: "Grep" }, "search"],
    ["post_tool_use", { tool: "codebase_search" }, "search"],
    ["post_tool_use", { tool: "Glob" }, "search"],
    ["post_tool_use", { tool: "find_files" }, "search"],
    ["post_tool_use", { tool: "Bash" }, "command_run"],
    ["pre_tool_use", { tool: "run_shell_command" }, "command_run"],
    ["post_tool_use", { tool: "run_terminal_cmd" }, "command_run"],
    ["post_tool_use", { tool: "exec" }, "command_run"],
    ["post_tool_use", { tool: "MultiEdit" }, "file_edit"],
    ["post_tool_use", { tool: "apply_patch" }, "file_edit"],
    ["post_tool_use", { tool: "replace" }, "file_edit"],
    ["post_tool_use", { tool: "update_doc" }, "file_edit"],
    ["post_tool_use", { tool: "Write" }, "file_write"],
    ["post_tool_use", { tool: "create_file" }, "file_write"],
    ["post_tool_use", { tool: "Read" }, "file_read"],
    ["post_tool_use", { tool: "view_image" }, "file_read"],
    ["post_tool_use", { tool: "open_file" }, "file_read"],
    ["post_tool_use", { tool: "Task" }, "subagent"],
    ["post_tool_use", { tool: "spawn_agent" }, "subagent"],
    ["post_tool_use", { imagePath: "/tmp/shot.png" }, "image"],
    ["custom_hook", { text: "Hello" }, "conversation"],
    ["custom_hook", "Hello", "conversation"],
    ["custom_hook", { n: 1 }, "other"],
    ["session_start", { source: "startup" }, "other"],
    ["post_tool_use", { tool: "mcp__db__ping", output: "pong" }, "other"],
  ])("%s with %j is %s", (hookType, data, expected) => {
    expect(typeOf(hookType, data)).toBe(expected);
  });

  test("has 15 distinct observation types", () => {
    expect(new Set(observationTypes).size).toBe(15);
  });
});

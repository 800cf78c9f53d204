import { expect, test } from "vitest";
import { compressByRules } from "../rules/compress.ts";
import { read } from "./hook-fixture.ts";

const windsurf = (agent_action_name: string, tool_info: Record<string, unknown>) => ({
  agent_action_name,
  trajectory_id: "w-1",
  execution_id: "e-1",
  timestamp: "2026-07-03T16:45:48.476887-06:00",
  model_name: "Claude Sonnet 4.5",
  tool_info,
});

test.each<[string, Record<string, unknown>, object]>([
  ["pre_user_prompt", { user_prompt: "Add a cart" }, { type: "conversation", title: "Add a cart" }],
  ["post_read_code", { file_path: "/fallback/a.py" }, { type: "file_read", title: "Read a.py" }],
  [
    "post_write_code",
    { file_path: "/fallback/a.py", edits: [{ old_string: "a", new_string: "b" }] },
    { type: "file_edit", title: "Edited a.py", facts: ["changed file: a.py", "change: b"] },
  ],
  [
    "post_run_command",
    { command_line: "npm install x", cwd: "/fallback" },
    { type: "command_run", title: "npm install x", importance: 5 },
  ],
  [
    "post_mcp_tool_use",
    { mcp_result: "12 commits", mcp_server_name: "git", mcp_tool_name: "log", mcp_tool_arguments: { n: 1 } },
    { title: "Post tool use: log: 1", narrative: "1 → 12 commits" },
  ],
  [
    "post_cascade_response",
    { response: "### Planner Response\n\nI begin.\n\n*Created file*\n\n### Planner Response\n\nDone." },
    { type: "conversation", title: "I begin.", narrative: "I begin.\n\n*Created file*\n\nDone." },
  ],
])("reads Windsurf's %s", (event, told, expected) => {
  const input = read(windsurf(event, told));
  expect(input).toMatchObject({
    sessionId: "w-1",
    cwd: "/fallback",
    timestamp: "2026-07-03T22:45:48.476Z",
  });
  expect(compressByRules({ ...input, timestamp: 0 })).toMatchObject(expected);
});

test.each<[string, Record<string, unknown>]>([
  ["read_code", { file_path: "/fallback/a.py" }],
  ["write_code", { file_path: "/fallback/a.py", edits: [{ old_string: "a", new_string: "b" }] }],
  ["run_command", { command_line: "npm install x", cwd: "/fallback" }],
  ["mcp_tool_use", { mcp_server_name: "git", mcp_tool_name: "log", mcp_tool_arguments: { n: 1 } }],
])("reads Windsurf's pre_%s as the beginning of the call that post_%s ends", (event, told) => {
  const { hookType, data } = read(windsurf(`pre_${event}`, told));
  const ended = read(windsurf(`post_${event}`, told));
  expect([hookType, ended.hookType]).toEqual(["pre_tool_use", "post_tool_use"]);
  expect(data).toEqual(ended.data);
});

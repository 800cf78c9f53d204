import { expect, test } from "vitest";
import type { Fields } from "../transcript-line.ts";
import { toldBy } from "./format-fixture.ts";

const head = { type: "cline-task.task", sessionId: "told", cwd: "/code/shop" };
const text = (said: string) => ({ type: "text", text: said });
const message = (key: string, role: string, ...content: readonly object[]) => ({
  ...{ type: "cline-task.message", key, role, content },
});
const asked = (...content: readonly object[]) => message("m1", "user", ...content);
const calls = (name: string, input: unknown) =>
  message("m2", "assistant", { type: "tool_use", id: "c1", name, input });
const writes = (answer: string) => message("m2", "assistant", text(answer));
const reports = (...content: readonly object[]) => message("m3", "user", ...content);
const ends = (content: unknown, more: object = {}) =>
  reports({ type: "tool_result", tool_use_id: "c1", content, ...more });

test.each([
  ["<task>\nAdd retries\n</task>\n\n<file_content path='a.ts'>\n</task>\n</file_content>", "Add retries"],
  [
    "[TASK RESUMPTION] It was interrupted.\n\nNew instructions:\n<user_message>\nGo on\n</user_message>",
    "Go on",
  ],
  ["<task>\nExplain\n</task>\n<environment_details>\n# Mode\nact\n</environment_details>", "Explain"],
])("of %j the user wrote only %j", (said, prompt) => {
  expect(toldBy(head, asked(text(said)))).toEqual([{ hookType: "prompt_submit", prompt }]);
});

test("what the program says in the place of the user is nobody's prompt", () => {
  const told = toldBy(head, asked(text("[ERROR] You did not use a tool in your previous response!")));
  expect(told).toEqual([]);
});

test("a result may be a text under a heading, also if the model called the tool by itself", () => {
  const told = toldBy(
    head,
    calls("read_file", { path: "a.ts", task_progress: "- [ ] read" }),
    reports(text("[read_file for 'a.ts'] Result:\nconst a = 1;"), text("# TODO LIST UPDATE REQUIRED")),
  );
  expect(told).toMatchObject([
    { hookType: "post_tool_use", tool_name: "read_file", tool_response: "const a = 1;" },
  ]);
  expect(told[0]?.tool_input).toEqual({ path: "a.ts" });
});

test("calls in the text of an answer have their parameters, and a file may contain tags", () => {
  const told = toldBy(
    head,
    writes(
      "I write it.\n<write_to_file>\n<path>a.html</path>\n<content>\n<path>\n</content>\n</write_to_file>\n" +
        "<read_file>\n<args>\n<file>\n<path>b.ts</path>\n</file>\n<file><path>c.ts</path></file>\n</args>\n</read_file>\n\n" +
        "[Response interrupted by a tool use result. Only one tool may be used at a time.]",
    ),
    reports(
      text("[write_to_file for 'a.html'] Result:"),
      text("Saved."),
      text("Tool [read_file] was not executed because"),
    ),
  );
  expect(told).toMatchObject([
    { hookType: "stop", last_assistant_message: "I write it." },
    {
      tool_name: "write_to_file",
      tool_input: { path: "a.html", content: "<path>" },
      tool_response: "Saved.",
    },
    {
      ...{ hookType: "post_tool_failure", tool_name: "read_file" },
      tool_input: { file: [{ path: "b.ts" }, { path: "c.ts" }] },
    },
  ]);
});

test("markup in an answer is no call", () => {
  const told = toldBy(head, writes("Use a `<read_file>` element:\n<div>\n<path>x</path>\n</div>"));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ hookType: "stop" });
});

test.each<[string, string, Fields]>([
  [
    "Cline",
    "Command executed successfully (exit code 0).\nOutput:\nok",
    { tool_response: "ok", exitCode: 0 },
  ],
  ["Cline", "Command failed with exit code 2.\nOutput:\nbad", { tool_response: "bad", exitCode: 2 }],
  ["Cline, older", "Command executed.\nOutput:\nok", { tool_response: "ok" }],
  [
    "Roo Code",
    "Command executed in terminal within working directory '/code/shop'. Exit code: 0\nOutput:\nok",
    { tool_response: "ok", exitCode: 0 },
  ],
  [
    "Roo Code, with a terminal's number",
    "Command executed in terminal 1 within working directory '/code'. Command execution was not successful, inspect the cause and adjust as needed.\nExit code: 127\nOutput:\nno",
    { tool_response: "no", exitCode: 127 },
  ],
  [
    "the tool itself",
    "The tool execution failed with the following error:\n<error>\nno such file\n</error>",
    { error: "no such file" },
  ],
  [
    "Roo Code",
    '{"status":"error","message":"The tool execution failed","error":"no file"}',
    { error: "no file" },
  ],
])("the end of a call in the words of %s is told with its outcome", (_who, result, outcome) => {
  expect(toldBy(head, calls("execute_command", { command: "npm test" }), ends(result))).toMatchObject([
    outcome,
  ]);
});

test.each([
  "The user denied this operation and provided the following feedback:\n<feedback>\nUse pnpm\n</feedback>",
  '{"status":"denied","feedback":"Use pnpm"}',
])("what the user wrote when denying a call is a prompt: %j", (result) => {
  const told = toldBy(head, calls("execute_command", { command: "npm test" }), ends(result));
  expect(told).toMatchObject([
    { hookType: "post_tool_failure" },
    { hookType: "prompt_submit", prompt: "Use pnpm" },
  ]);
});

test("tags in a file that was read are no words of the user", () => {
  const page = "<html>\n<feedback>\nGreat product\n</feedback>";
  const told = toldBy(head, calls("read_file", { path: "a.html" }), ends(page));
  expect(told.map(({ hookType }) => hookType)).toEqual(["post_tool_use"]);
});

test("a question is the model's answer, and the reply the user's prompt", () => {
  const told = toldBy(
    head,
    calls("ask_followup_question", { question: "Which queue?", follow_up: [] }),
    ends("<user_message>\nThe Redis one\n</user_message>"),
  );
  expect(told).toMatchObject([
    { hookType: "stop", last_assistant_message: "Which queue?" },
    { hookType: "prompt_submit", prompt: "The Redis one" },
  ]);
});

test("an MCP tool has the name of its server, and calls of memsvc are left out", () => {
  const named = (server: string) => [
    calls("cXu4Oz0mcp0memory_recall", { query: "retries" }),
    reports(text(`[use_mcp_tool for '${server}'] Result:\nfound`)),
  ];
  expect(toldBy(head, ...named("docs"))).toMatchObject([
    { tool_name: "mcp__docs__memory_recall", tool_response: "found" },
  ]);
  expect(toldBy(head, ...named("memsvc"))).toEqual([]);
  expect(toldBy(head, calls("mcp--memsvc--memory_recall", {}), ends("found"))).toEqual([]);
  const written =
    "<use_mcp_tool>\n<server_name>docs</server_name>\n<tool_name>find</tool_name>\n" +
    '<arguments>\n{"query": "x"}\n</arguments>\n</use_mcp_tool>';
  expect(toldBy(head, writes(written))).toMatchObject([
    { tool_name: "mcp__docs__find", tool_input: { query: "x" } },
  ]);
});

test("changes are told as old and new text, plans as their steps", () => {
  const diff =
    "<<<<<<< SEARCH\n:start_line:3\n-------\nold\n=======\nnew\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\na\nb\n=======\n>>>>>>> REPLACE";
  expect(toldBy(head, calls("apply_diff", { path: "a.ts", diff }))[0]?.tool_input).toEqual({
    path: "a.ts",
    edits: [
      { old_string: "old", new_string: "new" },
      { old_string: "a\nb", new_string: "" },
    ],
  });
  const todos = "[x] Read\n[-] Change\n[ ] Test";
  expect(toldBy(head, calls("update_todo_list", { todos }))).toMatchObject([
    {
      tool_name: "TodoWrite",
      tool_input: {
        todos: [
          { content: "Read", status: "completed" },
          { content: "Change", status: "in_progress" },
          { content: "Test", status: "pending" },
        ],
      },
    },
  ]);
});

test("messages in the form of an SDK are read, too", () => {
  const told = toldBy(
    head,
    message("m2", "assistant", {
      ...{ type: "tool-call", toolCallId: "c1", toolName: "read_file", input: { path: "a.ts" } },
    }),
    message("m3", "tool", {
      ...{ type: "tool-result", toolCallId: "c1", toolName: "read_file" },
      output: { type: "text", value: "const a = 1;" },
    }),
  );
  expect(told).toMatchObject([{ tool_name: "read_file", tool_response: "const a = 1;" }]);
});

test("an image goes with the prompt", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const told = toldBy(head, asked(text("<task>\nWhat is this?\n</task>"), image));
  expect(told).toEqual([{ hookType: "prompt_submit", prompt: "What is this?", images: [image] }]);
});

test("the summary of a shortened conversation is no prompt", () => {
  const told = toldBy(head, { ...asked(text("The user wants retries.")), isSummary: true });
  expect(told).toMatchObject([
    { last_assistant_message: "The user wants retries.", is_compact_summary: true },
  ]);
});

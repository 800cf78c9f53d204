import { expect, test } from "vitest";
import { toldBy } from "./format-fixture.ts";

const head = { type: "session_meta", payload: { id: "told", cwd: "/code/shop" } };
const item = (payload: object) => ({ type: "response_item", payload });
const completed = (told: object) => ({ type: "event_msg", payload: { type: "item_completed", item: told } });
const called = (call: object) => item({ type: "function_call", call_id: "c1", ...call });
const ended = (output: unknown, type = "function_call_output") => item({ type, call_id: "c1", output });

const told = (...lines: readonly object[]) => toldBy(head, ...lines);
const shell = (command: unknown) => ({ tool_name: "Bash", tool_input: { command } });

test.each([
  ["container.exec", { command: ["bash", "-lc", "npm test"] }, "npm test"],
  ["shell_command", { command: "npm test" }, "npm test"],
  ["shell", { command: ["git", "log", "-1"] }, "git log -1"],
  ["shell", { command: ["git", "push"] }, "git push"],
])("a command is what the shell was given, by the tool %s", (name, given, command) => {
  const call = called({ name, arguments: JSON.stringify(given) });
  expect(told(call, ended("ok"))).toMatchObject([{ hookType: "post_tool_use", ...shell(command) }]);
});

test("the older call of a local shell is a command", () => {
  const action = { type: "exec", command: ["bash", "-lc", "npm test"] };
  expect(told(item({ type: "local_shell_call", call_id: "c1", action }), ended("ok"))).toMatchObject([
    { ...shell("npm test"), tool_response: "ok" },
  ]);
});

test("of a script only the commands are told, with their exit codes", () => {
  const script = { type: "custom_tool_call", call_id: "c1", name: "exec", input: "await tools.shell()" };
  const command = { type: "CommandExecution", id: "e1", command: ["bash", "-lc", "npm test"] };
  const end = { aggregated_output: "1 failed", exit_code: 1 };
  expect(
    told(item(script), completed({ ...command, ...end }), ended("done", "custom_tool_call_output")),
  ).toMatchObject([
    { hookType: "post_tool_use", ...shell("npm test"), tool_response: "1 failed", exit_code: 1 },
  ]);
});

test.each([
  ["mcp__tracker", "mcp__tracker__close"],
  ["mcp__tracker__", "mcp__tracker__close"],
  ["tools", "close"],
])("a tool in the namespace %s is called %s", (namespace, name) => {
  const call = called({ namespace, name: "close", arguments: '{"id":7}' });
  expect(told(call, ended("closed"))).toMatchObject([
    { tool_name: name, tool_input: { id: 7 }, tool_response: "closed" },
  ]);
});

test("a call that could not run has failed", () => {
  const call = called({ name: "later_tool", arguments: "{}" });
  expect(told(call, ended("unsupported call: later_tool"))).toMatchObject([
    { hookType: "post_tool_failure", error: "unsupported call: later_tool" },
  ]);
});

test("what precedes the output of a command is no part of it", () => {
  const call = called({ name: "exec_command", arguments: '{"cmd":"npm test"}' });
  const printed =
    "Chunk ID: 9a\nWall time: 0.1 seconds\nProcess exited with code -1\nOutput:\nExit code: 7\n";
  expect(told(call, ended(printed))).toMatchObject([{ tool_response: "Exit code: 7\n", exit_code: -1 }]);
  const going = "Wall time: 10 seconds\nProcess running with session ID 4\nOutput:\nlistening";
  const [event] = told(call, ended([{ type: "input_text", text: going }]));
  expect(event).toMatchObject({ tool_response: "listening" });
  expect(event).not.toHaveProperty("exit_code");
});

test("a compaction is the agent's own summary", () => {
  expect(told({ type: "compacted", payload: { message: "A cart is done." } })).toMatchObject([
    { hookType: "stop", last_assistant_message: "A cart is done.", is_compact_summary: true },
  ]);
});

import { describe, expect, test } from "vitest";
import { isNoProblem } from "../outputs/refusals.ts";
import { compressByRules } from "../rules/compress.ts";
import { endsDroidTurn } from "./droid-hooks.ts";
import { context, picked, read } from "./hook-fixture.ts";
import { observeInputFrom } from "./hook-payload.ts";

/** What Droid 0.225 sends with every event. */
const droid = (hook_event_name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  session_id: "f91fea3c",
  transcript_path: "/home/u/.factory/sessions/-code-shop/f91fea3c.jsonl",
  cwd: "/code/shop",
  permission_mode: "auto-high",
  hook_event_name,
  ...more,
});

const compressed = (payload: Record<string, unknown>) => {
  const input = read(payload);
  return compressByRules({ ...input, timestamp: Date.parse(input.timestamp) });
};

const execute = (command: string) => ({
  tool_name: "Execute",
  tool_input: { command, summary: "run the tests", riskLevel: "low", riskLevelReason: "reads only" },
});

describe("Droid", () => {
  test.each([
    ["/home/u/.factory/sessions/-code-shop/f91fea3c.jsonl", "droid"],
    ["C:\\Users\\u\\.factory\\sessions\\-code-shop\\f91fea3c.jsonl", "droid"],
    ["/home/u/.claude/projects/-code-shop/f91fea3c.jsonl", "claude-code"],
  ])("is known by where its transcripts are: %s is one of %s", (transcript_path, agent) => {
    const start = droid("SessionStart", { source: "startup", transcript_path });
    expect(observeInputFrom(start, context)).toMatchObject({
      agent,
      input: { hookType: "session_start", sessionId: "f91fea3c", cwd: "/code/shop" },
    });
    expect(endsDroidTurn(droid("Stop", { transcript_path }))).toBe(agent === "droid");
  });

  test("only the end of a turn ends it", () => {
    expect(endsDroidTurn(droid("SubagentStop"))).toBe(false);
    expect(endsDroidTurn({ ...droid("Stop"), transcript_path: "" })).toBe(false);
  });

  test("a command is told with its purpose, and without its risk or the line that says how it ended", () => {
    const response = "12 passed\n\n\n[Process exited with code 0]";
    const ran = droid("PostToolUse", { ...execute("npm test"), tool_response: response });
    expect(picked(ran)).toMatchObject({ outputText: "12 passed", exitCode: 0 });
    expect(compressed(ran)).toMatchObject({
      type: "command_run",
      title: "npm test",
      narrative: "npm test (run the tests) → 12 passed",
    });
    expect(compressed(droid("PreToolUse", execute("npm test"))).narrative).toBe("npm test (run the tests)");
  });

  test.each([
    ["Error: Command failed (exit code: 3)\nboom\n\n\n[Process exited with code 3]", 3, "boom"],
    ["Error: Command failed (exit code: 1)\n\n\n[Process exited with code 1]", 1, "Exit code 1"],
    ["Error: Error: Path not allowed", undefined, "Path not allowed"],
  ])("a command that ended with %j has failed", (told, exitCode, error) => {
    const failed = droid("PostToolUseFailure", { ...execute("npm test"), error: told });
    expect(read(failed).hookType).toBe("post_tool_failure");
    const fields = picked(failed);
    expect({ exitCode: fields.exitCode, error: fields.error }).toEqual({ exitCode, error });
  });

  test.each([
    ["Edit", { old_str: "a - b", new_str: "a + b" }, "file_edit", "old: a - b new: a + b"],
    ["Create", { content: "a + b" }, "file_write", "a + b"],
  ])("%s tells the change, and not once more in its result", (tool_name, change, type, narrative) => {
    const edited = droid("PostToolUse", {
      tool_name,
      tool_input: { file_path: "/code/shop/calc.js", ...change },
      tool_response: '{"success":true,"file_path":"/code/shop/calc.js","diffLines":[],"linesAdded":1}',
    });
    expect(compressed(edited)).toMatchObject({ type, narrative, files: ["calc.js"] });
  });

  test("a search for files says which", () => {
    const found = droid("PostToolUse", {
      tool_name: "Glob",
      tool_input: { patterns: ["*.ts", "*.md"], folder: "/code/shop" },
      tool_response: "./retry.ts",
    });
    expect(compressed(found)).toMatchObject({ type: "search", title: "Searched for *.ts *.md" });
  });

  test.each([
    [{ task_result: "There are 3 files." }, "There are 3 files."],
    [{ task_error: "It was stopped." }, "It was stopped."],
  ])("a sub-agent ends with %j", (end, answer) => {
    const ended = droid("SubagentStop", { task_name: "Count", ...end, stop_hook_active: false });
    expect(picked(ended)).toMatchObject({ subagentPrompt: "Count", assistantResponse: answer });
  });

  test.each([
    ["Edit", "Error: Error: The text to replace was not found in the file. Please ensure the old_str …"],
    ["Edit", "Error: Error: Found 2 occurrences of the specified text, but change_all is false."],
    ["Edit", "Error: old_str is required"],
    ["Read", "Error: file_path is required and must be a string"],
    ["Read", "Error: Error reading file: ENOENT: no such file or directory, access '/code/shop/gone.ts'"],
    ["Read", 'Error: Error: Path "/code/shop" is a directory.'],
    ["Execute", 'Error: Execute call rejected: missing required parameters "riskLevel".'],
    ["FooBar", "Error: Not found: FooBar. Only request exact tool names from the list."],
    ["Edit", "Error: Tool execution cancelled by user"],
  ])("a call of %s that was refused or wrong is no problem of the project: %s", (tool_name, error) => {
    const failed = droid("PostToolUseFailure", { tool_name, tool_input: { file_path: "calc.js" }, error });
    expect(isNoProblem(compressed(failed).title)).toBe(true);
  });
});

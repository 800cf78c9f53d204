import { describe, expect, test } from "vitest";
import { compressByRules } from "../rules/compress.ts";
import { context, picked, read } from "./hook-fixture.ts";
import { observeInputFrom } from "./hook-payload.ts";

/** A payload of 0.24.4; in 0.15.10 only tool calls have the permission mode. */
const qwen = (hook_event_name: string, more: Record<string, unknown>) => ({
  session_id: "q-1",
  transcript_path: "/home/ann/.qwen/projects/-code-shop/chats/q-1.jsonl",
  cwd: "/fallback",
  hook_event_name,
  timestamp: "2026-11-26T19:56:35.523Z",
  permission_mode: "yolo",
  prompt_id: "q-1########0",
  ...more,
});

const older = (hook_event_name: string, more: Record<string, unknown>) => ({
  ...qwen(hook_event_name, more),
  permission_mode: undefined,
  prompt_id: undefined,
});

const told = (payload: Record<string, unknown>) => {
  const input = read(payload);
  return compressByRules({ ...input, timestamp: Date.parse(input.timestamp) });
};

const ran = (command: string, said: string, end: { exit?: string; signal?: string; error?: string } = {}) =>
  [
    `Command: ${command}`,
    "Directory: (root)",
    `Output: ${said}`,
    `Error: ${end.error ?? "(none)"}`,
    `Exit Code: ${end.exit ?? "0"}`,
    `Signal: ${end.signal ?? "(none)"}`,
    "Process Group PGID: (none)",
  ].join("\n");

const ran24 = (command: string, llmContent: string, returnDisplay = "shown") =>
  qwen("PostToolUse", {
    tool_name: "run_shell_command",
    tool_input: { command, description: "Look", is_background: false },
    tool_response: { llmContent, returnDisplay },
    tool_use_id: "toolu_1_a",
    tool_call_id: "call_1",
    duration_ms: 56,
  });

const failed = (tool_name: string, tool_input: object, error: string) =>
  qwen("PostToolUseFailure", { tool_name, tool_input, error, is_interrupt: false, duration_ms: 77 });

describe.each([
  ["0.24", qwen],
  ["0.15", older],
])("Qwen Code %s is recognised by its own payload", (_version, payload) => {
  test.each([
    ["SessionStart", { source: "startup", model: "qwen3" }, "session_start"],
    ["UserPromptSubmit", { prompt: "Add a cart" }, "prompt_submit"],
    ["Notification", { message: "x", notification_type: "permission_prompt" }, "notification"],
    ["PreCompact", { trigger: "manual", custom_instructions: "" }, "pre_compact"],
    ["PostCompact", { trigger: "auto", compact_summary: "A cart" }, "stop"],
    ["Stop", { stop_hook_active: false, last_assistant_message: "Done." }, "stop"],
    ["SessionEnd", { reason: "prompt_input_exit" }, "session_end"],
  ])("%s", (event, more, hookType) => {
    expect(observeInputFrom(payload(event, more), context)).toMatchObject({
      agent: "qwen-code",
      input: { hookType, sessionId: "q-1" },
    });
  });
});

test("Qwen Code is recognised by its permission mode, wherever its transcripts are", () => {
  const payload = { ...qwen("Stop", {}), transcript_path: "/srv/transcripts/q-1.jsonl" };
  expect(observeInputFrom(payload, context)).toMatchObject({ agent: "qwen-code" });
});

test("ignores a UserPromptSubmit with an empty prompt", () => {
  const asked = observeInputFrom(qwen("UserPromptSubmit", { prompt: "" }), context);
  expect(asked).toEqual({
    kind: "nothing",
    reason: "nothing happened in this UserPromptSubmit of qwen-code",
  });
});

test.each(["PreToolUse", "PostToolUse", "PostToolUseFailure"])(
  "ignores a script's %s, because the calls that it makes have their own",
  (event) => {
    const source = "text(await tools.mcp__memsvc__memory_recall({ query: 'retries' }))";
    const script = qwen(event, { tool_name: "exec", tool_input: { source }, tool_call_id: "call_1" });
    expect(observeInputFrom(script, context)).toMatchObject({ kind: "nothing" });
    const call = qwen(event, {
      tool_name: "run_shell_command",
      tool_input: { command: "npm test" },
      tool_call_id: "call_1:code:1",
    });
    expect(observeInputFrom(call, context)).toMatchObject({ kind: "event", agent: "qwen-code" });
    const ofServer = qwen(event, { tool_name: "exec", tool_input: { command: "npm test" } });
    expect(observeInputFrom(ofServer, context)).toMatchObject({ kind: "event" });
  },
);

test("keeps the user's whole prompt without the contents of referenced files", () => {
  const files =
    "\n--- Content from referenced files ---\nContent from README.md:\n# demo\n\n--- End of content ---";
  const prompt = `Look at @README.md${files}`;
  for (const payload of [
    qwen("UserPromptSubmit", { prompt, submitted_prompt: "Look at @README.md" }),
    older("UserPromptSubmit", { prompt }),
  ])
    expect(read(payload).data).toMatchObject({ prompt: "Look at @README.md" });
  const pasted = qwen("UserPromptSubmit", {
    prompt: "Mend this:\nline one\nline two",
    submitted_prompt: "Mend this:\n[Pasted Content 1637 chars]",
  });
  expect(read(pasted).data.prompt).toBe("Mend this:\nline one\nline two");
  expect(read(pasted).data).not.toHaveProperty("submitted_prompt");
});

describe("a shell command", () => {
  test("is recorded with its output alone, without the report around it", () => {
    expect(picked(ran24("npm test", ran("npm test", "12 passed")))).toMatchObject({
      outputText: "12 passed",
      exitCode: 0,
    });
    expect(picked(ran24("true", ran("true", "(empty)"))).outputText).toBe("");
    const note = `${ran("make", "built")}\n\nNote: this foreground command ran for 61s.`;
    expect(picked(ran24("make", note)).outputText).toBe("built");
  });

  test("that failed keeps its exit code, signal or error in either version", () => {
    const report = ran("cat no; exit 3", "cat: no: No such file or directory\nboom", { exit: "3" });
    expect(told(failed("run_shell_command", { command: "cat no; exit 3" }, report))).toMatchObject({
      type: "error",
      title: "run_shell_command failed: cat: no: No such file or directory",
    });
    const [first, second] = [
      failed("run_shell_command", { command: "cat no; exit 3" }, report),
      ran24("cat no; exit 3", report.replace("Signal: (none)", "Signal: 0")),
    ].map(picked);
    expect([first?.exitCode, first?.error]).toEqual([3, "cat: no: No such file or directory\nboom"]);
    expect([second?.exitCode, second?.outputText]).toEqual([3, first?.error]);
    const silent = failed("run_shell_command", { command: "false" }, ran("false", "(empty)", { exit: "1" }));
    expect(picked(silent)).toMatchObject({ exitCode: 1, error: "Exit code 1" });
    const killed = ran("sleep 9", "(empty)", { exit: "(none)", signal: "9" });
    expect(picked(failed("run_shell_command", { command: "sleep 9" }, killed)).error).toBe("Signal: 9");
    const gone = ran("x", "(empty)", { exit: "(none)", error: "spawn bash ENOENT" });
    expect(picked(failed("run_shell_command", { command: "x" }, gone)).error).toBe(
      "Error: spawn bash ENOENT",
    );
  });

  test("with truncated output keeps its beginning and end", () => {
    const cut = `Tool output was too large and has been truncated.\nThe full output has been saved to: /home/ann/.qwen/tmp/1.output\n\nTruncated part of the output:\n${ran("seq 9", "1\n2\n... [CONTENT TRUNCATED] ...\n9")}`;
    expect(picked(ran24("seq 9", cut)).outputText).toBe("1\n2\n... [CONTENT TRUNCATED] ...\n9");
  });

  test("in the background or cancelled keeps the agent's message", () => {
    const started = "Background shell started.\nid: bg_1\npid: 11628\noutput file: /home/ann/.qwen/1.output";
    expect(picked(ran24("sleep 5", started)).outputText).toBe(started);
    const cancelled =
      "Command was cancelled by user before it could complete. There was no output before it was cancelled.";
    expect(picked(failed("run_shell_command", { command: "sleep 5" }, cancelled)).error).toBe(cancelled);
  });
});

test("lists a written file once, with or without its full path", () => {
  const returnDisplay = {
    fileDiff: "Index: app.py\n--- app.py\tOriginal\n+++ app.py\tWritten\n@@ -0,0 +1,1 @@\n+x = 1\n",
    ...{ fileName: "app.py", filePath: "/fallback/src/app.py" },
    ...{ originalContent: "", newContent: "x = 1\n" },
    diffStat: { model_added_lines: 1, model_removed_lines: 0 },
  };
  const llmContent = "Successfully created and wrote to new file: /fallback/src/app.py.";
  const call = {
    tool_name: "write_file",
    tool_input: { file_path: "/fallback/src/app.py", content: "x = 1\n" },
  };
  // Older versions show the file without its path.
  const { filePath: _filePath, ...bare } = returnDisplay;
  for (const wrote of [
    qwen("PostToolUse", { ...call, tool_response: { llmContent, returnDisplay } }),
    older("PostToolUse", { ...call, tool_response: { llmContent, returnDisplay: bare } }),
  ])
    expect(told(wrote)).toMatchObject({ title: "Wrote src/app.py", files: ["src/app.py"] });
});

test("records the MCP server's error instead of the failed call around it", () => {
  const said = JSON.stringify({ error: "issue 7 is not known", status: 404 });
  const content = [{ type: "text", text: said }];
  const answer = [
    { functionResponse: { name: "get", response: { error: { content, isError: true }, content } } },
  ];
  const message = `MCP tool 'get' reported tool error for function call: {"name":"get","args":{"id":7}} with response: ${JSON.stringify(answer)}`;
  expect(picked(failed("mcp__desk__get", { id: 7 }, message)).error).toBe(said);
});

test("attributes a sub-agent's prompt and answer to the sub-agent", () => {
  const agent = { agent_id: "general-purpose-call_1", agent_type: "general-purpose" };
  expect(picked(qwen("SubagentStop", { ...agent, last_assistant_message: "Hello." }))).toMatchObject({
    subagentKind: "general-purpose",
    assistantResponse: "Hello.",
  });
  const order = qwen("UserPromptSubmit", { agent_id: agent.agent_id, prompt: "Greet" });
  expect(read(order).hookType).toBe("subagent_start");
});

import { describe, expect, test } from "vitest";
import { compressByRules } from "../rules/compress.ts";
import { context, picked, read } from "./hook-fixture.ts";
import { observeInputFrom } from "./hook-payload.ts";

/** What Grok Build 1.0 sends with every event: most fields twice. */
const grok = (
  hook_event_name: string,
  more: Record<string, unknown> = {},
  usual: Record<string, unknown> = {},
): Record<string, unknown> => ({
  hookEventName: "its_own_name",
  sessionId: "01a22ec5",
  cwd: "/code/shop",
  workspaceRoot: "/code/shop/",
  timestamp: "2026-11-30T23:23:53.735192701+00:00",
  transcriptPath: "/home/u/.grok/sessions/%2Fcode%2Fshop/01a22ec5/updates.jsonl",
  permissionMode: "default",
  ...more,
  hook_event_name,
  session_id: "01a22ec5",
  transcript_path: "/home/u/.grok/sessions/%2Fcode%2Fshop/01a22ec5/updates.jsonl",
  permission_mode: "default",
  ...usual,
});

/** A call that has ended. */
function ended(tool: string, input: Record<string, unknown>, result: Record<string, unknown>) {
  const own = { toolName: tool, toolUseId: "call_1", toolInput: input, toolResult: result, durationMs: 4 };
  const usual = { tool_name: tool, tool_use_id: "call_1", tool_input: input, tool_response: result };
  return grok("PostToolUse", own, { ...usual, duration_ms: 4 });
}

const compressed = (payload: Record<string, unknown>) => {
  const input = read(payload);
  return compressByRules({ ...input, timestamp: Date.parse(input.timestamp) });
};

describe("Grok Build", () => {
  test("is known by its fields, each of which is kept once", () => {
    const started = observeInputFrom(grok("SessionStart", { source: "new" }), context);
    expect(started).toEqual({
      kind: "event",
      agent: "grok",
      input: {
        hookType: "session_start",
        sessionId: "01a22ec5",
        project: "project of /code/shop",
        cwd: "/code/shop",
        timestamp: "2026-11-30T23:23:53.735Z",
        data: {
          workspaceRoot: "/code/shop/",
          source: "new",
          transcript_path: "/home/u/.grok/sessions/%2Fcode%2Fshop/01a22ec5/updates.jsonl",
          permission_mode: "default",
        },
      },
    });
  });

  test("a field that has the name of a property of all objects keeps it", () => {
    expect(read(grok("SessionStart", { toString: "new" })).data).toMatchObject({ toString: "new" });
  });

  test("a prompt is the user's, and a sub-agent's its task", () => {
    expect(read(grok("UserPromptSubmit", { prompt: "Add the tax" }))).toMatchObject({
      hookType: "prompt_submit",
      data: { prompt: "Add the tax" },
    });
    const task = grok("UserPromptSubmit", { prompt: "Count the attempts", subagentType: "general-purpose" });
    expect(read(task)).toMatchObject({
      hookType: "subagent_start",
      data: { prompt: "Count the attempts", agent_type: "general-purpose" },
    });
    const reminder = grok("UserPromptSubmit", { prompt: "<system-reminder>Be brief</system-reminder>" });
    expect(read(reminder).hookType).toBe("notification");
  });

  test("a command's output is its text, and its exit code is known", () => {
    const bytes = [...Buffer.from("1 test failed\n")];
    const result = {
      type: "Bash",
      output: bytes,
      output_for_prompt: "exit: 1\n1 test failed\n",
      exit_code: 1,
    };
    const run = ended("run_terminal_command", { command: "npm test" }, result);
    expect(read(run).data).toMatchObject({ tool_response: "1 test failed\n", exitCode: 1 });
    expect(compressed(run)).toMatchObject({ type: "command_run", title: "npm test (exit 1)" });
  });

  test.each([
    [
      "read_file",
      { type: "ReadFile", FileContent: { content: "1→export const a = 3;\n" } },
      "1→export const a = 3;\n",
    ],
    ["list_dir", { type: "ListDir", Content: { content: "- src/" } }, "- src/"],
    [
      "grep",
      { type: "GrepSearch", stdout: [...Buffer.from("a.ts:1: é")], stderr: [], exit_code: 0 },
      "a.ts:1: é",
    ],
    ["spawn_subagent", { type: "Text", text: "Subagent started." }, "Subagent started."],
    ["write", { type: "SearchReplace", EditsApplied: { tool_output_for_prompt: "Created." } }, "Created."],
  ])("what %s answered is its text", (tool, result, text) => {
    expect(read(ended(tool, {}, result))).toMatchObject({
      hookType: "post_tool_use",
      data: { tool_name: tool, tool_response: text },
    });
  });

  test("a result of a kind that is not known is kept whole", () => {
    const result = { type: "Later", Novel: { pages: 3 } };
    expect(read(ended("later_tool", {}, result)).data.tool_response).toEqual(result);
  });

  test("an edit is a change of its file, and one that found nothing to change has failed", () => {
    const input = { file_path: "/code/shop/retry.ts", old_string: "= 3", new_string: "= 5" };
    const applied = { type: "SearchReplace", EditsApplied: { tool_output_for_prompt: "Updated." } };
    expect(compressed(ended("search_replace", input, applied))).toMatchObject({
      type: "file_edit",
      files: ["retry.ts"],
    });
    const missed = { type: "SearchReplace", NoMatchesFound: { message: "The string was not found." } };
    expect(read(ended("search_replace", input, missed))).toMatchObject({
      hookType: "post_tool_failure",
      data: { error: "The string was not found." },
    });
    const absent = { type: "ReadFile", FileNotFound: "Error: none.ts does not exist." };
    expect(picked(ended("read_file", { target_file: "none.ts" }, absent)).error).toBe(
      "Error: none.ts does not exist.",
    );
  });

  test("a turn ends once, with its answer", () => {
    const stop = grok("Stop", { reason: "end_turn", lastAssistantMessage: "Five attempts." });
    expect(picked(stop).assistantResponse).toBe("Five attempts.");
    expect(observeInputFrom(grok("Stop", { reason: "shutdown" }), context).kind).toBe("nothing");
  });
});

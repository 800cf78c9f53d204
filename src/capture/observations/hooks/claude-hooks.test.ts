import { describe, expect, test } from "vitest";
import { compressByRules } from "../rules/compress.ts";
import { context, picked, read } from "./hook-fixture.ts";
import { observeInputFrom } from "./hook-payload.ts";

/** What Claude Code 2.1 sends with every event. */
const claude = (hook_event_name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  session_id: "c-1",
  transcript_path: "/home/u/.claude/projects/-code-shop/c-1.jsonl",
  cwd: "/code/shop",
  prompt_id: "8d1e",
  permission_mode: "default",
  effort: { level: "high" },
  hook_event_name,
  ...more,
});

const compressed = (payload: Record<string, unknown>) => {
  const input = read(payload);
  return compressByRules({ ...input, timestamp: Date.parse(input.timestamp) });
};

describe("Claude Code", () => {
  test.each(["user", "sdk", "loop_wakeup", "schedule_wakeup", undefined])(
    "a prompt with source %s is a user prompt",
    (source) => {
      const prompt = claude("UserPromptSubmit", { prompt: "check the deploy", source });
      expect(read(prompt).hookType).toBe("prompt_submit");
      expect(picked(prompt).userPrompt).toBe("check the deploy");
    },
  );

  test.each(["system", "poll_event"])("a prompt with source %s becomes a notification", (source) => {
    const going = claude("UserPromptSubmit", { prompt: "Continue from where you left off.", source });
    expect(compressed(going)).toMatchObject({
      type: "notification",
      title: "Notification: Continue from where you left off.",
      importance: 2,
    });
    const prompt =
      "<task-notification>\n<task-id>b1</task-id>\n<summary>Tests completed</summary>\n</task-notification>";
    for (const given of [source, undefined])
      expect(compressed(claude("UserPromptSubmit", { prompt, source: given }))).toMatchObject({
        type: "notification",
        title: "Notification: Tests completed",
      });
  });

  test("a prompt to a sub-agent is its start, not a user prompt", () => {
    const told = claude("UserPromptSubmit", { prompt: "Find it", agent_id: "a7", agent_type: "Explore" });
    expect(compressed(told)).toMatchObject({ type: "subagent", title: "Subagent Explore: Find it" });
  });

  test("a compaction summary is kept as the assistant's text", () => {
    const compact_summary = "A cart page was asked for. We decided to use Redis.";
    const shorter = claude("PostCompact", { trigger: "auto", compact_summary });
    expect(read(shorter)).toMatchObject({ hookType: "stop", data: { is_compact_summary: true } });
    expect(compressed(shorter)).toMatchObject({
      type: "conversation",
      narrative: compact_summary,
      facts: ["decision: We decided to use Redis."],
    });
  });

  test("a compaction summary is kept without the analysis before it, and without tags", () => {
    const compact_summary = `<analysis>
I go through the conversation. We must not forget the cart.
</analysis>

<summary>
1. Primary request: a cart page.


2. We decided to use Redis.
</summary>`;
    expect(picked(claude("PostCompact", { trigger: "auto", compact_summary })).assistantResponse).toBe(
      "1. Primary request: a cart page.\n\n2. We decided to use Redis.",
    );
    const unfinished = "<analysis>We go through it.</analysis><summary>1. A cart page.";
    expect(
      picked(claude("PostCompact", { trigger: "auto", compact_summary: unfinished })).assistantResponse,
    ).toBe("1. A cart page.");
  });

  test("what Claude Code asks a model for itself ends like a sub-agent, and is none", () => {
    const end = { agent_id: "a9", last_assistant_message: "<summary>A cart page.</summary>" };
    const own = observeInputFrom(claude("SubagentStop", { ...end, agent_type: "" }), context);
    expect(own.kind).toBe("nothing");
    expect(read(claude("SubagentStop", { ...end, agent_type: "Explore" })).hookType).toBe("subagent_stop");
  });

  test("a turn that an error of the model ended is a notification, not an answer", () => {
    const failed = claude("StopFailure", {
      error: "rate_limit",
      last_assistant_message: "API Error: Rate limit reached",
    });
    expect(compressed(failed)).toMatchObject({
      type: "notification",
      title: "stop_failure: API Error: Rate limit reached",
    });
    expect(picked(claude("StopFailure", { error: "unknown", error_details: "Overloaded" })).message).toBe(
      "Overloaded",
    );
  });

  test("a denied tool call is a notification, not a command that ran", () => {
    const call = { tool_name: "Bash", tool_input: { command: "rm -rf /" }, tool_use_id: "t" };
    expect(compressed(claude("PermissionDenied", { ...call, reason: "dangerous" }))).toMatchObject({
      type: "notification",
      title: "permission_denied: Bash: rm -rf /: dangerous",
    });
  });

  test("what a tool answered is told once, and images and documents not as data", () => {
    const used = (tool_name: string, tool_input: object, tool_response: unknown) =>
      compressed(claude("PostToolUse", { tool_name, tool_input, tool_response }));
    const plan = "# Move the cart\n\n1. Add the schema";
    expect(used("ExitPlanMode", {}, { plan, isAgent: false })).toMatchObject({
      title: "Post tool use: ExitPlanMode: Move the cart",
      narrative: plan,
    });
    expect(used("ExitPlanMode", { plan }, { plan, isAgent: false }).narrative).toBe(
      "# Move the cart 1. Add the schema",
    );
    const order = { description: "Review", prompt: "Review the diff", run_in_background: true };
    expect(used("Task", order, { isAsync: true, agentId: "a9", prompt: "Review the diff" }).narrative).toBe(
      "description: Review, prompt: Review the diff, run_in_background: true",
    );
    const message = "Successfully killed shell: b12ab34 (npm run dev)";
    expect(used("KillShell", { shell_id: "b12ab34" }, { message, shell_id: "b12ab34" }).title).toBe(
      `KillShell: ${message}`,
    );
    const file_path = "/code/shop/cart.png";
    for (const type of ["image", "pdf"])
      expect(used("Read", { file_path }, { type, file: { base64: "a7f3", originalSize: 4 } }).narrative).toBe(
        file_path,
      );
    const shown = [{ type: "image", source: { type: "base64", media_type: "image/png", data: "a7f3" } }];
    expect(used("mcp__pw__screenshot", {}, [{ type: "text", text: "Taken." }, ...shown]).narrative).toBe(
      "Taken.",
    );
  });

  test("the fields common to all events never become a title", () => {
    const question = { question: "Which store?", header: "Store", options: [{ label: "Redis" }] };
    const asked = claude("PostToolUse", {
      tool_name: "AskUserQuestion",
      tool_input: { questions: [question] },
      tool_response: { questions: [question], answers: { "Which store?": "Redis" } },
    });
    expect(compressed(asked)).toMatchObject({
      title: "Post tool use: AskUserQuestion: Which store?",
      narrative: "Which store? → Redis",
    });
    const began = compressed(claude("SubagentStart", { agent_id: "a7", agent_type: "Explore" }));
    expect(began).toMatchObject({ title: "Subagent Explore", narrative: "Explore" });
  });
});

test("a Codex call of an MCP tool is described by its tool and input", () => {
  const call = { turn_id: "7", model: "gpt-5.6", tool_name: "mcp__docs__lookup", tool_input: { q: "lexer" } };
  const tool_response = { content: [{ type: "text", text: "A lexer is" }], isError: false };
  expect(compressed(claude("PostToolUse", { ...call, tool_response }))).toMatchObject({
    title: "Post tool use: lookup: lexer",
    narrative: "lexer → A lexer is",
  });
});

test("VS Code payloads are read with either spelling of event name and session id", () => {
  const common = { timestamp: "2026-02-09T10:30:00.000Z", cwd: "/code/shop", transcript_path: "/t.json" };
  const names = [
    { hookEventName: "UserPromptSubmit", sessionId: "v-1" },
    { hook_event_name: "UserPromptSubmit", session_id: "v-1" },
  ];
  const untimed = { hookEventName: "Stop", sessionId: "v-1", cwd: "/code/shop" };
  expect(observeInputFrom(untimed, context)).toMatchObject({ agent: "vscode", input: { hookType: "stop" } });
  for (const name of names)
    expect(observeInputFrom({ ...common, ...name, prompt: "Rename it" }, context)).toEqual({
      kind: "event",
      agent: "vscode",
      input: {
        ...{ hookType: "prompt_submit", sessionId: "v-1", project: "project of /code/shop" },
        ...{ cwd: "/code/shop", timestamp: "2026-02-09T10:30:00.000Z" },
        data: { transcript_path: "/t.json", prompt: "Rename it" },
      },
    });
});

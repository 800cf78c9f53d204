import type { Composer } from "./cursor-database.ts";
import type { OpenCodeSession } from "./opencode-database.ts";
import type { Line } from "./transcripts.ts";

/*
 * Short transcripts as ten agents write them: fields and order are those of the real programs, with what does not
 * matter here left out. In each the agent reads a file, runs a command that fails, changes a file, and answers.
 */

interface Sessions {
  readonly sessions: readonly OpenCodeSession[];
}

interface Composers {
  readonly composers: readonly Composer[];
}

export interface AgentTranscript {
  /** The agent, as `connect` names it. */
  readonly agent: string;
  /** By their names below the folder of transcripts: the lines of a file, its text, or what a database holds. */
  readonly files: Readonly<Record<string, readonly Line[] | string | Sessions | Composers>>;
  /** The tools' names in what is stored: of the call that reads, runs, changes. */
  readonly tools: readonly [string, string, string];
  /** The hook type of the command that failed. */
  readonly failed: "post_tool_use" | "post_tool_failure";
}

export const prompt = "Raise the number of attempts";
export const interim = "I look at the retry code first.";
export const answer = "I decided to use five attempts with full jitter.";
const folder = "/home/dev/shop";
const file = `${folder}/src/retry.ts`;
const code = "export const attempts = 3;\n";
const command = "npm test";
const failure = "Error: 2 tests failed";

/** The time of the numbered step, as ISO text. */
const at = (step: number) => new Date(timeOf(step)).toISOString();
const timeOf = (step: number) => Date.UTC(2026, 1, 1, 9, 0, step);

const codexLine = (step: number, type: string, payload: Line): Line => ({
  timestamp: at(step),
  type,
  payload,
});
const codexItem = (step: number, item: Line) =>
  codexLine(step, "event_msg", { type: "item_completed", thread_id: "told", item });
const patch = "*** Begin Patch\n*** Update File: src/retry.ts\n@@\n-3\n+5\n*** End Patch\n";
const codexHead = codexLine(0, "session_meta", {
  id: "told",
  session_id: "told",
  cwd: folder,
  source: "cli",
});
const codexSaid = (step: number, role: string, text: string) =>
  codexLine(step, "response_item", { type: "message", role, content: [{ type: "output_text", text }] });
const codexCalled = (step: number, call_id: string, call: Line) =>
  codexLine(step, "response_item", { type: "function_call", call_id, ...call });
const codexEnded = (step: number, call_id: string, output: unknown, type = "function_call_output") =>
  codexLine(step, "response_item", { type, call_id, output });

const codex: AgentTranscript = {
  agent: "codex",
  files: {
    "2026/02/01/rollout-told.jsonl": [
      codexHead,
      codexSaid(1, "user", `<environment_context>\n  <cwd>${folder}</cwd>\n</environment_context>`),
      codexSaid(1, "user", prompt),
      codexItem(1, { type: "UserMessage", id: "u1", content: [{ type: "text", text: prompt }] }),
      codexItem(2, { type: "AgentMessage", id: "a1", content: [{ type: "Text", text: interim }] }),
      codexSaid(2, "assistant", interim),
      codexCalled(3, "c1", { name: "exec_command", arguments: JSON.stringify({ cmd: "cat src/retry.ts" }) }),
      codexItem(4, {
        type: "CommandExecution",
        id: "c1",
        command: ["bash", "-lc", "cat src/retry.ts"],
        exit_code: 0,
      }),
      codexEnded(
        4,
        "c1",
        `Command: /bin/bash -lc 'cat src/retry.ts'\nChunk ID: 9a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${code}`,
      ),
      codexCalled(5, "c2", {
        name: "shell",
        arguments: JSON.stringify({ command: ["bash", "-lc", command] }),
      }),
      codexEnded(6, "c2", JSON.stringify({ output: failure, metadata: { exit_code: 1 } })),
      codexLine(7, "response_item", {
        type: "custom_tool_call",
        call_id: "c3",
        name: "apply_patch",
        input: patch,
      }),
      codexEnded(8, "c3", "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", "custom_tool_call_output"),
      codexSaid(9, "assistant", answer),
      codexLine(9, "event_msg", { type: "task_complete", last_agent_message: answer }),
    ],
  },
  tools: ["Bash", "Bash", "apply_patch"],
  failed: "post_tool_use",
};

const copilotLine = (step: number, type: string, data: Line): Line => ({
  type,
  data,
  id: `e${step}-${type}`,
  timestamp: at(step),
});
const copilotCalled = (step: number, toolCallId: string, toolName: string, args: Line) =>
  copilotLine(step, "tool.execution_start", { toolCallId, toolName, arguments: args });
const copilotEnded = (step: number, toolCallId: string, content: string) =>
  copilotLine(step, "tool.execution_complete", { toolCallId, success: true, result: { content } });

const copilot: AgentTranscript = {
  agent: "copilot-cli",
  files: {
    "told/events.jsonl": [
      copilotLine(0, "session.start", { sessionId: "told", context: { cwd: folder } }),
      copilotLine(1, "user.message", { content: prompt, transformedContent: `<now/>\n${prompt}` }),
      copilotLine(1, "system.message", { role: "system", content: "You are an assistant." }),
      copilotLine(2, "assistant.message", { content: interim, toolRequests: [] }),
      copilotCalled(3, "c1", "view", { path: file }),
      copilotEnded(4, "c1", code),
      copilotCalled(5, "c2", "bash", { command }),
      copilotEnded(6, "c2", `${failure}\n<shellId: 0 completed with exit code 1>`),
      copilotCalled(7, "c3", "create", { path: file, file_text: code }),
      copilotEnded(8, "c3", "Created file"),
      copilotLine(9, "assistant.message", { content: answer, toolRequests: [] }),
    ],
  },
  tools: ["Read", "Bash", "Write"],
  failed: "post_tool_use",
};

const droidLine = (step: number, role: string, content: readonly Line[], more: Line = {}): Line => ({
  type: "message",
  id: `m${step}`,
  timestamp: at(step),
  message: { role, content, ...more },
});
const text = (said: string) => ({ type: "text", text: said });
const used = (id: string, name: string, input: Line) => ({ type: "tool_use", id, name, input });
const ended = (id: string, content: string, isError = false) => ({
  type: "tool_result",
  tool_use_id: id,
  is_error: isError,
  content,
});

const droid: AgentTranscript = {
  agent: "droid",
  files: {
    "-home-dev-shop/told.jsonl": [
      { type: "session_start", id: "told", title: prompt, version: 2, cwd: folder },
      droidLine(1, "user", [text("<system-reminder>Tools</system-reminder>")], { visibility: "llm_only" }),
      droidLine(1, "user", [text(prompt)]),
      droidLine(2, "assistant", [text(interim), used("c1", "Read", { file_path: file })]),
      droidLine(4, "user", [ended("c1", code)]),
      droidLine(5, "assistant", [used("c2", "Execute", { command, summary: "test", riskLevel: "low" })]),
      droidLine(6, "user", [
        ended(
          "c2",
          `Error: Command failed (exit code: 1)\n${failure}\n\n\n[Process exited with code 1]`,
          true,
        ),
      ]),
      droidLine(7, "assistant", [used("c3", "Create", { file_path: file, content: code })]),
      droidLine(8, "user", [ended("c3", JSON.stringify({ success: true, file_path: file }))]),
      droidLine(9, "assistant", [text(answer)]),
      { type: "agent_turn_outcome", turnId: "m1", reason: "completed" },
    ],
  },
  tools: ["Read", "Execute", "Create"],
  failed: "post_tool_failure",
};

const geminiSaid = (step: number, id: string, content: string, more: Line = {}): Line => ({
  id,
  timestamp: at(step),
  type: "gemini",
  content,
  ...more,
});
const geminiCall = (step: number, id: string, name: string, args: Line, output: string): Line => ({
  id,
  name,
  args,
  status: "success",
  timestamp: at(step),
  result: [{ functionResponse: { id, name, response: { output } } }],
  resultDisplay: "",
});
const geminiAnswered = (step: number, id: string): Line => ({
  id: `r-${id}`,
  timestamp: at(step),
  type: "user",
  content: [{ functionResponse: { id, response: { output: "as above" } } }],
});
const geminiRuns = {
  first: geminiCall(4, "c1", "read_file", { file_path: file }, code),
  second: geminiCall(
    6,
    "c2",
    "run_shell_command",
    { command },
    `<untrusted_context>\nOutput: ${failure}\nExit Code: 1\nProcess Group PGID: 17\n</untrusted_context>`,
  ),
  third: geminiCall(8, "c3", "write_file", { file_path: file, content: code }, "Successfully wrote"),
};

const gemini: AgentTranscript = {
  agent: "gemini-cli",
  files: {
    "shop/.project_root": `${folder}\n`,
    "shop/chats/session-2026-02-01.jsonl": [
      { sessionId: "told", projectHash: "ab", startTime: at(0), lastUpdated: at(0), kind: "main" },
      { $set: { messages: [{ id: "s", type: "user", content: [{ text: "<session_context>" }] }] } },
      { id: "u1", timestamp: at(1), type: "user", content: [{ text: prompt }] },
      geminiSaid(2, "g1", interim),
      { $set: { lastUpdated: at(2) } },
      geminiSaid(2, "g1", interim, { toolCalls: [geminiRuns.first, geminiRuns.second] }),
      geminiAnswered(7, "c2"),
      geminiSaid(7, "g2", ""),
      geminiSaid(7, "g2", "", { toolCalls: [geminiRuns.third] }),
      geminiAnswered(8, "c3"),
      geminiSaid(9, "g3", answer),
    ],
  },
  tools: ["read_file", "run_shell_command", "write_file"],
  failed: "post_tool_use",
};

const kimiLine = (step: number, event: Line): Line => ({
  type: "context.append_loop_event",
  agentId: "main",
  event,
  time: timeOf(step),
});
const kimiCalled = (step: number, toolCallId: string, name: string, args: Line) =>
  kimiLine(step, { type: "tool.call", toolCallId, name, args });
const kimiEnded = (step: number, toolCallId: string, result: Line) =>
  kimiLine(step, { type: "tool.result", toolCallId, result });
const kimiSaid = (step: number, said: string) => kimiLine(step, { type: "content.part", part: text(said) });

const kimi: AgentTranscript = {
  agent: "kimi-code",
  files: {
    "wd_shop/told/state.json": JSON.stringify({ id: "told", version: 2, cwd: folder }),
    "wd_shop/told/agents/main/wire.jsonl": [
      { type: "metadata", protocol_version: "1.5", created_at: timeOf(0) },
      {
        type: "turn.prompt",
        agentId: "main",
        input: [text(prompt)],
        origin: { kind: "user" },
        time: timeOf(1),
      },
      kimiSaid(2, interim),
      kimiCalled(3, "c1", "Read", { path: file }),
      kimiEnded(4, "c1", { output: `1\t${code}` }),
      kimiCalled(5, "c2", "Bash", { command }),
      kimiEnded(6, "c2", { output: `${failure}\nCommand failed with exit code: 1.`, isError: true }),
      kimiCalled(7, "c3", "Write", { path: file, content: code }),
      kimiEnded(8, "c3", { output: "Wrote 27 bytes" }),
      kimiSaid(9, answer),
      {
        type: "agent.message.appended",
        message: { message: { role: "assistant", content: [text(answer)] } },
      },
    ],
  },
  tools: ["Read", "Bash", "Write"],
  failed: "post_tool_failure",
};

const openCodeSaid = (step: number, ...parts: readonly Line[]) => ({
  data: { role: "assistant", time: { created: timeOf(step) } },
  parts: [{ type: "step-start" }, ...parts, { type: "step-finish" }],
});
const openCodeText = (step: number, said: string) => ({
  ...text(said),
  time: { start: timeOf(step), end: timeOf(step) },
});
const openCodeCall = (step: number, tool: string, input: Line, ended: Line) => ({
  ...{ type: "tool", tool, callID: `c${step}` },
  state: { status: "completed", input, ...ended, time: { start: timeOf(step - 1), end: timeOf(step) } },
});
const openCodePrompt = (step: number, ...parts: readonly Line[]) => ({
  data: { role: "user", time: { created: timeOf(step) } },
  parts,
});

const openCode: AgentTranscript = {
  agent: "opencode",
  files: {
    "opencode.db": {
      sessions: [
        {
          id: "told",
          changedAt: timeOf(9),
          messages: [
            openCodePrompt(1, text(prompt), { ...text("<content>of a mentioned file"), synthetic: true }),
            openCodeSaid(
              2,
              { type: "reasoning", text: "Thinking." },
              openCodeText(2, interim),
              openCodeCall(4, "read", { filePath: file }, { output: code, title: "src/retry.ts" }),
            ),
            openCodeSaid(
              5,
              openCodeCall(6, "bash", { command }, { output: `${failure}\n`, metadata: { exit: 1 } }),
            ),
            openCodeSaid(
              7,
              openCodeCall(
                8,
                "edit",
                { filePath: file, oldString: "3", newString: "5" },
                { output: "Edited" },
              ),
              { type: "patch", files: [file] },
            ),
            openCodeSaid(9, openCodeText(9, answer)),
          ],
        },
      ],
    },
  },
  tools: ["read", "bash", "edit"],
  failed: "post_tool_use",
};

const clineFile = (...messages: readonly Line[]) =>
  JSON.stringify({ version: 1, agent: "lead", sessionId: "told", messages }, undefined, 2);
const clineSaid = (step: number, role: string, ...content: readonly Line[]) => ({
  ...{ id: `msg_${step}`, role, content, ts: timeOf(step) },
});
const clineEnded = (id: string, content: unknown): Line => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const clineManifest = JSON.stringify({ session_id: "told", started_at: at(1), cwd: folder });

const cline: AgentTranscript = {
  agent: "cline",
  files: {
    "told/told.json": clineManifest,
    "told/told.messages.json": clineFile(
      clineSaid(1, "user", text(`<user_input mode="act">${prompt}</user_input>`)),
      clineSaid(1, "user", text("[SYSTEM] This run is not complete.")),
      clineSaid(2, "assistant", text(interim), used("c1", "read_files", { files: [{ path: file }] })),
      clineSaid(4, "user", clineEnded("c1", [{ query: file, result: code, success: true }])),
      clineSaid(5, "assistant", used("c2", "run_commands", { commands: [command] })),
      clineSaid(
        6,
        "user",
        clineEnded("c2", [
          { query: command, result: `[Command exited with code 1]\n${failure}`, success: false },
        ]),
      ),
      clineSaid(7, "assistant", used("c3", "editor", { path: file, old_text: "3", new_text: "5" })),
      clineSaid(8, "user", clineEnded("c3", JSON.stringify({ result: "Edited", success: true }))),
      clineSaid(9, "assistant", text(answer)),
    ),
  },
  tools: ["read_files", "run_commands", "editor"],
  failed: "post_tool_failure",
};

const piLine = (step: number, message: Line): Line => ({
  type: "message",
  id: `e${step}`,
  parentId: null,
  timestamp: at(step),
  message,
});
const piSaid = (step: number, ...content: readonly Line[]) => piLine(step, { role: "assistant", content });
const piCall = (id: string, name: string, args: Line) => ({ type: "toolCall", id, name, arguments: args });
const piEnded = (step: number, toolCallId: string, said: string, isError = false) =>
  piLine(step, { role: "toolResult", toolCallId, content: [text(said)], isError });

const pi: AgentTranscript = {
  agent: "pi",
  files: {
    "--home-dev-shop--/told.jsonl": [
      { type: "session", version: 3, id: "told", timestamp: at(0), cwd: folder },
      { type: "model_change", id: "m", timestamp: at(0), modelId: "any" },
      piLine(1, { role: "user", content: [text(prompt)] }),
      piSaid(2, text(interim), piCall("c1", "read", { path: file })),
      piEnded(4, "c1", code),
      piSaid(5, piCall("c2", "bash", { command })),
      piEnded(6, "c2", `${failure}\n\n\nCommand exited with code 1`, true),
      piSaid(7, piCall("c3", "edit", { path: file, edits: [{ oldText: "3", newText: "5" }] })),
      piEnded(8, "c3", "Edited"),
      piSaid(9, text(answer)),
    ],
  },
  tools: ["read", "bash", "edit"],
  failed: "post_tool_failure",
};

const qwenLine = (step: number, type: string, parts: readonly Line[], more: Line = {}): Line => ({
  uuid: `q${step}`,
  sessionId: "told",
  timestamp: at(step),
  type,
  cwd: folder,
  message: { role: type === "assistant" ? "model" : "user", parts },
  ...more,
});
const qwenCall = (id: string, name: string, args: Line) => ({ functionCall: { id, name, args } });
const qwenEnded = (step: number, id: string, name: string, output: string) =>
  qwenLine(step, "tool_result", [{ functionResponse: { id, name, response: { output } } }], {
    toolCallResult: { callId: id, status: "success", resultDisplay: "" },
  });

const qwen: AgentTranscript = {
  agent: "qwen-code",
  files: {
    "-home-dev-shop/chats/told.jsonl": [
      qwenLine(1, "user", [{ text: prompt }], { provenance: "real_user" }),
      {
        uuid: "t",
        sessionId: "told",
        timestamp: at(1),
        type: "system",
        subtype: "ui_telemetry",
        systemPayload: {},
      },
      qwenLine(2, "assistant", [
        { text: "Thinking.", thought: true },
        { text: interim },
        qwenCall("c1", "read_file", { file_path: file }),
      ]),
      qwenEnded(4, "c1", "read_file", code),
      qwenLine(5, "assistant", [qwenCall("c2", "run_shell_command", { command })]),
      qwenEnded(
        6,
        "c2",
        "run_shell_command",
        `Command: ${command}\nDirectory: (root)\nOutput: ${failure}\nError: (none)\nExit Code: 1\nSignal: 0\nProcess Group PGID: 17`,
      ),
      qwenLine(7, "assistant", [qwenCall("c3", "write_file", { file_path: file, content: code })]),
      qwenEnded(8, "c3", "write_file", "Successfully wrote"),
      qwenLine(9, "assistant", [{ text: answer }]),
    ],
  },
  tools: ["read_file", "run_shell_command", "write_file"],
  failed: "post_tool_use",
};

const grokLine = (step: number, sessionUpdate: string, update: Line): Line => ({
  timestamp: timeOf(step) / 1_000,
  method: "session/update",
  params: {
    sessionId: "told",
    update: { sessionUpdate, ...update },
    _meta: { eventId: `told-${step}-${sessionUpdate}`, agentTimestampMs: timeOf(step) },
  },
});
const grokCalled = (step: number, toolCallId: string, name: string, rawInput: Line) =>
  grokLine(step, "tool_call", { toolCallId, title: name, rawInput, _meta: { "x.ai/tool": { name } } });
const grokEnded = (step: number, toolCallId: string, rawOutput: Line) =>
  grokLine(step, "tool_call_update", { toolCallId, status: "completed", rawOutput });
const grokSummary = (more: Line) =>
  JSON.stringify({ info: { id: "told", cwd: folder }, session_summary: prompt, ...more });

const grok: AgentTranscript = {
  agent: "grok",
  files: {
    "%2Fhome%2Fdev%2Fshop/told/updates.jsonl": [
      grokLine(0, "hook_execution", { event_name: "session_start" }),
      grokLine(1, "user_message_chunk", { content: text(prompt) }),
      grokLine(2, "agent_message_chunk", { content: text(interim) }),
      grokCalled(3, "c1", "read_file", { target_file: file }),
      grokLine(3, "tool_call_update", { toolCallId: "c1", title: "Read", rawInput: { variant: "ReadFile" } }),
      grokEnded(4, "c1", { type: "ReadFile", FileContent: { content: code } }),
      grokCalled(5, "c2", "run_terminal_command", { command }),
      grokEnded(6, "c2", { type: "Bash", output_for_prompt: `exit: 1\n${failure}`, exit_code: 1 }),
      grokCalled(7, "c3", "search_replace", { file_path: file, old_string: "3", new_string: "5" }),
      grokEnded(8, "c3", { type: "SearchReplace", EditsApplied: { tool_output_for_prompt: "Updated." } }),
      grokLine(9, "agent_message_chunk", { content: text(answer) }),
      grokLine(9, "turn_completed", { stop_reason: "end_turn" }),
    ],
    "%2Fhome%2Fdev%2Fshop/told/summary.json": grokSummary({ session_kind: "primary" }),
    "%2Fhome%2Fdev%2Fshop/told/chat_history.jsonl": [
      { type: "user", content: [text(`<user_query>\n${prompt}\n</user_query>`)] },
      { type: "assistant", content: answer, tool_calls: [] },
    ],
  },
  tools: ["read_file", "run_terminal_command", "Edit"],
  failed: "post_tool_use",
};

export const agentTranscripts: readonly AgentTranscript[] = [
  ...[cline, codex, copilot, droid, gemini, grok, kimi, openCode, pi, qwen],
];

/** Transcripts of sub-agents: a file for each, except at Copilot CLI. */
export const subagentTranscripts: readonly Pick<AgentTranscript, "agent" | "files">[] = [
  {
    agent: "grok",
    files: {
      "%2Fhome%2Fdev%2Fshop/sub/updates.jsonl": [
        grokLine(3, "user_message_chunk", { content: text("Count the attempts") }),
        grokLine(4, "agent_message_chunk", { content: text("There are three.") }),
      ],
      "%2Fhome%2Fdev%2Fshop/sub/summary.json": grokSummary({ session_kind: "subagent" }),
    },
  },
  {
    agent: "codex",
    files: {
      "2026/02/01/rollout-sub.jsonl": [
        codexLine(3, "session_meta", {
          id: "sub",
          session_id: "told",
          parent_thread_id: "told",
          cwd: folder,
        }),
        codexItem(3, { type: "UserMessage", id: "u1", content: [text("Count the attempts")] }),
        codexSaid(4, "assistant", "There are three."),
      ],
    },
  },
  {
    agent: "copilot-cli",
    files: {
      "told/events.jsonl": [
        copilotLine(0, "session.start", { sessionId: "told", context: { cwd: folder } }),
        {
          ...copilotLine(3, "user.message", { content: "Count the attempts", source: "agent" }),
          agentId: "sub",
        },
        { ...copilotLine(4, "assistant.message", { content: "There are three." }), agentId: "sub" },
      ],
    },
  },
  {
    agent: "gemini-cli",
    files: {
      "shop/chats/told/sub.jsonl": [
        { sessionId: "sub", projectHash: "ab", startTime: at(3), kind: "subagent", directories: [folder] },
        {
          id: "u1",
          timestamp: at(3),
          type: "user",
          content: [{ text: "<loaded_context> Count the attempts" }],
        },
        geminiSaid(4, "g1", "There are three."),
      ],
    },
  },
  {
    agent: "kimi-code",
    files: {
      "wd_shop/told/state.json": JSON.stringify({ id: "told", cwd: folder }),
      "wd_shop/told/agents/agent-0/wire.jsonl": [
        { type: "metadata", protocol_version: "1.5", created_at: timeOf(3) },
        {
          type: "turn.prompt",
          agentId: "agent-0",
          input: [text("Count the attempts")],
          origin: { kind: "system_trigger", name: "subagent" },
          time: timeOf(3),
        },
        { ...kimiSaid(4, "There are three."), agentId: "agent-0" },
      ],
    },
  },
  {
    agent: "cline",
    files: {
      "told/told.json": clineManifest,
      "told/sub.messages.json": clineFile(
        clineSaid(3, "user", text("Count the attempts")),
        clineSaid(4, "assistant", text("There are three.")),
      ),
    },
  },
  {
    agent: "kilo",
    files: {
      "kilo.db": {
        sessions: [
          { id: "told", changedAt: timeOf(1), messages: [] },
          {
            ...{ id: "sub", parent: "told", changedAt: timeOf(4) },
            messages: [
              openCodePrompt(3, text("Count the attempts")),
              openCodeSaid(4, openCodeText(4, "There are three.")),
            ],
          },
        ],
      },
    },
  },
  {
    agent: "qwen-code",
    files: {
      "-home-dev-shop/subagents/told/sub.jsonl": [
        qwenLine(3, "user", [{ text: "Count the attempts" }], { isSidechain: true, agentId: "sub" }),
        qwenLine(4, "assistant", [{ text: "There are three." }], { isSidechain: true, agentId: "sub" }),
      ],
    },
  },
];

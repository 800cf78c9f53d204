import { type AgentTranscript, answer, interim, prompt } from "./agent-transcripts.ts";
import type { Line } from "./transcripts.ts";

/*
 * What agents keep that live in editors. In each the agent reads a file, runs a command that fails, changes a file, and
 * answers, as in `agent-transcripts.ts`.
 */

const folder = "/home/dev/shop";
const command = "npm test";
const code = "export const attempts = 3;\n";
const failure = "Error: 2 tests failed";

const timeOf = (step: number) => Date.UTC(2026, 1, 1, 9, 0, step);

const text = (said: string) => ({ type: "text", text: said });
const environment = text(
  `<environment_details>\n# Current Time\n2/1/2026\n\n# Current Working Directory (${folder}) Files\nsrc/\n</environment_details>`,
);
const change = "------- SEARCH\nattempts = 3\n=======\nattempts = 5\n+++++++ REPLACE";

/** Has no times of its own, and calls in the text of answers. */
const clineTask: AgentTranscript = {
  agent: "cline (extension)",
  files: {
    "saoudrizwan.claude-dev/tasks/told/api_conversation_history.json": JSON.stringify([
      { role: "user", content: [text(`<task>\n${prompt}\n</task>`), environment] },
      {
        role: "assistant",
        content: [
          text(
            `<thinking>\nWhere is it?\n</thinking>\n${interim}\n<read_file>\n<path>src/retry.ts</path>\n</read_file>`,
          ),
        ],
      },
      { role: "user", content: [text("[read_file for 'src/retry.ts'] Result:"), text(code), environment] },
      { role: "assistant", content: `<execute_command>\n<command>${command}</command>\n</execute_command>` },
      {
        role: "user",
        content: [
          text(
            `[execute_command for '${command}'] Result:\nCommand failed with exit code 1.\nOutput:\n${failure}`,
          ),
        ],
      },
      {
        role: "assistant",
        content: `<replace_in_file>\n<path>src/retry.ts</path>\n<diff>\n${change}\n</diff>\n</replace_in_file>`,
      },
      {
        role: "user",
        content: [text("[replace_in_file for 'src/retry.ts'] Result:\nThe content was saved.")],
      },
      {
        role: "assistant",
        content: `<attempt_completion>\n<result>\n${answer}\n</result>\n</attempt_completion>`,
      },
    ]),
    "saoudrizwan.claude-dev/tasks/told/ui_messages.json": JSON.stringify(
      [1, 2, 4, 5, 6, 7, 8, 9].map((step, at) => ({
        ...{ ts: timeOf(step), type: "say", say: "text", conversationHistoryIndex: at - 1 },
      })),
    ),
  },
  tools: ["read_file", "execute_command", "Edit"],
  failed: "post_tool_use",
};

const used = (id: string, name: string, input: Line) => ({ type: "tool_use", id, name, input });
const ended = (id: string, content: unknown) => ({ type: "tool_result", tool_use_id: id, content });
const rooSaid = (step: number, role: string, ...content: readonly Line[]) => ({
  ...{ role, content, ts: timeOf(step) },
});
const rooItem = (id: string, more: Line = {}) =>
  JSON.stringify({ id, number: 1, ts: timeOf(9), task: prompt, workspace: folder, ...more });

const rooTask: AgentTranscript = {
  agent: "roo code",
  files: {
    "rooveterinaryinc.roo-cline/tasks/told/history_item.json": rooItem("told"),
    "rooveterinaryinc.roo-cline/tasks/told/api_conversation_history.json": JSON.stringify([
      rooSaid(1, "user", text(`<user_message>\n${prompt}\n</user_message>`), environment),
      rooSaid(2, "assistant", text(interim), used("c1", "read_file", { path: "src/retry.ts" })),
      rooSaid(4, "user", ended("c1", `File: src/retry.ts\n${code}`), environment),
      rooSaid(5, "assistant", used("c2", "execute_command", { command })),
      rooSaid(
        6,
        "user",
        ended(
          "c2",
          `Command executed in terminal within working directory '${folder}'. Command execution was not successful, inspect the cause and adjust as needed.\nExit code: 1\nOutput:\n${failure}`,
        ),
      ),
      rooSaid(7, "assistant", used("c3", "apply_diff", { path: "src/retry.ts", diff: change })),
      rooSaid(8, "user", ended("c3", [text("The changes were applied.")])),
      rooSaid(9, "assistant", used("c4", "attempt_completion", { result: answer })),
    ]),
  },
  tools: ["read_file", "execute_command", "Edit"],
  failed: "post_tool_use",
};

const node = (...texts: readonly string[]) => ({
  node: { type: 1, children: texts.map((one) => ({ type: 2, text: one, lineBreakBefore: true })) },
});
const chatCall = (id: string, name: string, input: Line) => ({ id, name, arguments: JSON.stringify(input) });
const chatRequest = {
  requestId: "request_1",
  message: { text: prompt, parts: [] },
  timestamp: timeOf(1),
  modelId: "copilot/any",
  response: [
    { value: interim },
    {
      ...{
        kind: "toolInvocationSerialized",
        toolId: "run_in_terminal",
        toolCallId: "other",
        isComplete: true,
      },
      toolSpecificData: {
        ...{ kind: "terminal", commandLine: { original: command } },
        terminalCommandState: { exitCode: 1 },
      },
    },
    { value: answer },
  ],
  result: {
    metadata: {
      toolCallRounds: [
        {
          ...{ response: interim, timestamp: timeOf(2) },
          toolCalls: [chatCall("c1", "read_file", { filePath: `${folder}/src/retry.ts` })],
        },
        { response: "", timestamp: timeOf(5), toolCalls: [chatCall("c2", "run_in_terminal", { command })] },
        {
          ...{ response: "", timestamp: timeOf(7) },
          toolCalls: [
            chatCall("c3", "replace_string_in_file", {
              ...{ filePath: `${folder}/src/retry.ts`, oldString: "3", newString: "5" },
            }),
          ],
        },
        { response: answer, toolCalls: [] },
      ],
      toolCallResults: {
        c1: { content: [{ value: node(code) }] },
        c2: { content: [{ value: failure }] },
        c3: { content: [{ value: node("The file was edited:", `${folder}/src/retry.ts`) }] },
      },
    },
  },
  modelState: { value: 1, completedAt: timeOf(9) },
};
const chat = { version: 3, sessionId: "told", creationDate: timeOf(1) };
const workspace = JSON.stringify({ folder: `file://${folder}` });
const chatTools = {
  tools: ["read_file", "run_in_terminal", "replace_string_in_file"],
  failed: "post_tool_use",
} as const;

const chatText: AgentTranscript = {
  agent: "vscode",
  files: {
    "workspaceStorage/ab/workspace.json": workspace,
    "workspaceStorage/ab/chatSessions/told.json": JSON.stringify({ ...chat, requests: [chatRequest] }),
  },
  ...chatTools,
};

const { result, modelState, response, ...asked } = chatRequest;
const chatLog: AgentTranscript = {
  agent: "vscode (log)",
  files: {
    "workspaceStorage/ab/workspace.json": workspace,
    "workspaceStorage/ab/chatSessions/told.jsonl": [
      { kind: 0, v: { ...chat, requests: [] } },
      { kind: 2, k: ["requests"], v: [{ ...asked, response: [{ value: "…" }] }] },
      { kind: 2, k: ["requests", 0, "response"], v: response, i: 0 },
      { kind: 1, k: ["requests", 0, "result"], v: result },
      { kind: 1, k: ["requests", 0, "modelState"], v: modelState },
      { kind: 1, k: ["customTitle"], v: "Retries" },
      { kind: 3, k: ["customTitle"] },
    ],
  },
  ...chatTools,
};

const bubble = (step: number, by: 1 | 2, said: string, more: Line = {}): Line => ({
  ...{ _v: 3, type: by, text: said, createdAt: new Date(timeOf(step)).toISOString(), ...more },
});
const cursorCall = (step: number, id: string, name: string, input: Line, ended: Line) =>
  bubble(step, 2, "", {
    toolFormerData: {
      ...{ toolCallId: id, name, status: "completed", rawArgs: JSON.stringify(input) },
      params: JSON.stringify(input),
      result: JSON.stringify(ended),
    },
  });
const openIn = { workspaceIdentifier: { id: "ab", uri: { fsPath: folder, scheme: "file" } } };

const cursor: AgentTranscript = {
  agent: "cursor",
  files: {
    "globalStorage/state.vscdb": {
      composers: [
        {
          ...{ id: "told", changedAt: timeOf(9) },
          data: { ...openIn, createdAt: timeOf(1), status: "completed" },
          // Not in the order of their names.
          bubbles: {
            z: bubble(1, 1, prompt),
            y: bubble(2, 2, "", { thinking: { text: "hm" } }),
            x: bubble(2, 2, interim),
            w: cursorCall(
              4,
              "c1",
              "read_file_v2",
              { targetFile: `${folder}/src/retry.ts` },
              { contents: code },
            ),
            v: cursorCall(6, "c2", "run_terminal_command_v2", { command }, { output: failure, exitCode: 1 }),
            u: cursorCall(
              8,
              "c3",
              "edit_file_v2",
              { relativeWorkspacePath: "src/retry.ts", streamingContent: code },
              { beforeContentId: "composer.content.1", afterContentId: "composer.content.2" },
            ),
            t: null,
            s: bubble(9, 2, answer),
          },
        },
      ],
    },
  },
  tools: ["Read", "Shell", "Edit"],
  failed: "post_tool_use",
};

export const editorTranscripts: readonly AgentTranscript[] = [
  ...[clineTask, rooTask, chatText, chatLog, cursor],
];

/** Conversations that another one started. */
export const editorSubagents: readonly Pick<AgentTranscript, "agent" | "files">[] = [
  {
    agent: "cursor",
    files: {
      "globalStorage/state.vscdb": {
        composers: [
          { id: "told", changedAt: timeOf(1), data: openIn, bubbles: { a: bubble(1, 2, "") } },
          {
            ...{ id: "sub", parent: "told", changedAt: timeOf(4), data: openIn },
            bubbles: { a: bubble(3, 1, "Count the attempts"), b: bubble(4, 2, "There are three.") },
          },
        ],
      },
    },
  },
  {
    agent: "roo code",
    files: {
      "tasks/sub/history_item.json": rooItem("sub", { rootTaskId: "told", parentTaskId: "told" }),
      "tasks/sub/api_conversation_history.json": JSON.stringify([
        rooSaid(3, "user", text("<user_message>\nCount the attempts\n</user_message>")),
        rooSaid(4, "assistant", used("c1", "attempt_completion", { result: "There are three." })),
      ]),
    },
  },
];

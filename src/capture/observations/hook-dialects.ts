/*
 * How the hooks of coding agents speak: one declared dialect per agent says how its payloads are recognised, which
 * of its fields are the envelope, what its events are called here, and which of its own field names have to be put
 * under the names that the service picks up. Everything else of a payload is handed on as it is.
 */

import { withDriveFirst } from "../projects/project-name.ts";
import { isEmpty, recordIn } from "./json-text.ts";

export type Payload = Record<string, unknown>;

export interface Dialect {
  agent: string;
  recognises: (payload: Payload, event: string) => boolean;
  eventKey: string;
  sessionKeys: readonly string[];
  /** The agent's name of an event → hookType; an event that is not listed goes by its own name in snake case. */
  hookTypes: Readonly<Record<string, string>>;
  cwdOf?: (payload: Payload) => unknown;
  /** Event → the agent's own fields that move to names that are picked up, and facts to add. */
  normalise?: Readonly<Record<string, (data: Payload) => Payload>>;
}

const claudeCode: Dialect = {
  agent: "claude-code",
  recognises: (_payload, event) => event !== "",
  eventKey: "hook_event_name",
  sessionKeys: ["session_id"],
  hookTypes: {
    SessionStart: "session_start",
    UserPromptSubmit: "prompt_submit",
    PreToolUse: "pre_tool_use",
    PostToolUse: "post_tool_use",
    PostToolUseFailure: "post_tool_failure",
    PermissionRequest: "notification",
    Notification: "notification",
    SubagentStart: "subagent_start",
    SubagentStop: "subagent_stop",
    Stop: "stop",
    PreCompact: "pre_compact",
    TaskCompleted: "task_completed",
    SessionEnd: "session_end",
  },
  normalise: {
    // The tool has not run and may never run: asking is a notification, not a use of the tool.
    PermissionRequest: (data) => ({
      ...data,
      notificationType: "permission_request",
      message: [data.tool_name, ownerOf(data.tool_input)].filter((part) => isText(part)).join(": "),
    }),
  },
};

// Codex writes Claude Code's shape, with its own `turn_id` in the events of a turn.
const codex: Dialect = {
  ...claudeCode,
  agent: "codex",
  recognises: (payload, event) => event !== "" && isText(payload.turn_id),
};

/** The older `notify` program of Codex gets one kind of payload, with hyphenated names. */
const codexNotify: Dialect = {
  agent: "codex-notify",
  recognises: (payload) => payload.type === "agent-turn-complete",
  eventKey: "type",
  sessionKeys: ["thread-id", "thread_id"],
  hookTypes: { "agent-turn-complete": "stop" },
  normalise: {
    "agent-turn-complete": (data) => moved(data, { "last-assistant-message": "assistantResponse" }),
  },
};

const geminiHookTypes = {
  BeforeTool: "pre_tool_use",
  AfterTool: "post_tool_use",
  BeforeAgent: "prompt_submit",
  AfterAgent: "stop",
  PreCompress: "pre_compact",
};

/** Events that Gemini CLI and Claude Code both have. */
const sharedHookTypes = {
  SessionStart: "session_start",
  SessionEnd: "session_end",
  Notification: "notification",
};

const geminiCli: Dialect = {
  agent: "gemini-cli",
  // A time tells it from Claude Code where both have an event, but never makes its own of Claude Code's others.
  recognises: (payload, event) =>
    Object.hasOwn(geminiHookTypes, event) ||
    (event !== "" &&
      isText(payload.timestamp) &&
      (Object.hasOwn(sharedHookTypes, event) || !Object.hasOwn(claudeCode.hookTypes, event))),
  eventKey: "hook_event_name",
  sessionKeys: ["session_id"],
  hookTypes: { ...geminiHookTypes, ...sharedHookTypes },
  normalise: {
    AfterAgent: (data) => moved(data, { prompt_response: "assistantResponse" }),
    // A failed tool is told inside its response: {llmContent, returnDisplay, error}, where it may have said nothing else.
    AfterTool: ({ tool_response: response, ...data }) => {
      if (!isObject(response) || response.error === undefined || response.error === null)
        return { ...data, tool_response: response };
      const { error, ...said } = response;
      return { ...data, error, ...(Object.values(said).every(isEmpty) ? {} : { tool_response: said }) };
    },
  },
};

const cursor: Dialect = {
  agent: "cursor",
  recognises: (payload, event) =>
    event !== "" &&
    (isText(payload.conversation_id) ||
      isText(payload.generation_id) ||
      Array.isArray(payload.workspace_roots)),
  eventKey: "hook_event_name",
  sessionKeys: ["conversation_id", "session_id"],
  hookTypes: {
    // Cursor also runs hooks that were written for Claude Code, under their names.
    ...claudeCode.hookTypes,
    sessionStart: "session_start",
    sessionEnd: "session_end",
    beforeSubmitPrompt: "prompt_submit",
    preToolUse: "pre_tool_use",
    postToolUse: "post_tool_use",
    postToolUseFailure: "post_tool_failure",
    subagentStart: "subagent_start",
    subagentStop: "subagent_stop",
    beforeShellExecution: "pre_tool_use",
    afterShellExecution: "post_tool_use",
    beforeMCPExecution: "pre_tool_use",
    afterMCPExecution: "post_tool_use",
    beforeReadFile: "pre_tool_use",
    beforeTabFileRead: "pre_tool_use",
    afterFileEdit: "post_tool_use",
    afterTabFileEdit: "post_tool_use",
    afterAgentResponse: "stop",
    preCompact: "pre_compact",
    stop: "stop",
  },
  cwdOf: ({ cwd, workspace_roots: roots }) =>
    Array.isArray(roots) && isText(roots[0]) ? withDriveFirst(roots[0]) : cwd,
  normalise: {
    PermissionRequest: claudeCode.normalise?.PermissionRequest ?? ((data) => data),
    beforeShellExecution: (data) => asTool("Shell", data, ["command"]),
    afterShellExecution: (data) => asTool("Shell", data, ["command"]),
    afterMCPExecution: (data) => timed(moved(opened(data, "result_json"), { result_json: "toolOutput" })),
    beforeReadFile: (data) => asTool("Read", data, ["file_path"]),
    beforeTabFileRead: (data) => asTool("Read", data, ["file_path"]),
    afterFileEdit: (data) => asTool("Edit", data, ["file_path", "edits"]),
    afterTabFileEdit: (data) => asTool("Edit", data, ["file_path", "edits"]),
    afterAgentResponse: (data) => moved(data, { text: "assistantResponse" }),
    afterAgentThought: (data) => moved(data, { text: "assistantResponse" }),
    postToolUse: (data) => timed(opened(data, "tool_output")),
    postToolUseFailure: (data) => timed(data),
    subagentStart: (data) =>
      moved(data, { subagent_id: "agentId", subagent_type: "agentType", task: "prompt" }),
    subagentStop: (data) =>
      moved(data, {
        subagent_id: "agentId",
        subagent_type: "agentType",
        task: "prompt",
        summary: "assistantResponse",
      }),
    stop: (data) => moved(data, { status: "stopReason" }),
  },
};

// Copilot CLI writes Claude Code's shape for events that are named as Claude Code's are; what a tool gave is its own.
const copilotCli: Dialect = {
  ...claudeCode,
  agent: "copilot-cli",
  recognises: (payload, event) =>
    event !== "" && isObject(payload.tool_result) && isText(payload.tool_result.text_result_for_llm),
  normalise: {
    PostToolUse: ({ tool_result: result, ...data }) => ({
      ...data,
      toolOutput: isObject(result) ? result.text_result_for_llm : result,
    }),
  },
};

/** The first that recognises a payload reads it: those with fields of their own before the common shape. */
export const dialects: readonly Dialect[] = [codexNotify, cursor, codex, geminiCli, copilotCli, claudeCode];

/** Puts an event that is a tool use, but does not say so, under the usual names. */
function asTool(toolName: string, data: Payload, inputKeys: readonly string[]): Payload {
  const toolInput = Object.fromEntries(inputKeys.filter((key) => key in data).map((key) => [key, data[key]]));
  const rest = Object.fromEntries(Object.entries(data).filter(([key]) => !inputKeys.includes(key)));
  return timed({ toolName, toolInput, ...rest });
}

/** An event that nests deeper than 64 is refused whole; a string is not looked into. */
const deepestOutput = 48;

/** Cursor writes what a tool gave as JSON in a string; text that is no object stays as it is. */
function opened(data: Payload, key: string): Payload {
  const value = data[key];
  const record = typeof value === "string" ? recordIn(value) : undefined;
  return record === undefined || nestsDeeper(record, deepestOutput) ? data : { ...data, [key]: record };
}

function nestsDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => nestsDeeper(item, depth - 1));
}

/** Cursor's `duration` is in milliseconds. */
function timed(data: Payload): Payload {
  return typeof data.duration === "number" ? moved(data, { duration: "durationMs" }) : data;
}

/** The same data with some fields under other names; a name that is taken already stays. */
function moved(data: Payload, names: Readonly<Record<string, string>>): Payload {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const name = Object.hasOwn(names, key) ? names[key] : undefined;
      return [name === undefined || Object.hasOwn(data, name) ? key : name, value];
    }),
  );
}

function ownerOf(toolInput: unknown): unknown {
  if (!isObject(toolInput)) return toolInput;
  return toolInput.command ?? toolInput.file_path ?? toolInput.url ?? toolInput.description;
}

export function isObject(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

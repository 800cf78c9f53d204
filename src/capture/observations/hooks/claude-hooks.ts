import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { isAgentNote } from "../prose/agent-notes.ts";
import { summaryOfHook } from "../prose/compact-summary.ts";
import type { Dialect } from "./hook-dialect.ts";
import { moved, type Payload, turnFailed } from "./hook-fields.ts";

/* The hooks of Claude Code, and of the agents that follow its format. */

export const claudeCode: Dialect = {
  agent: "claude-code",
  recognises: () => true,
  eventKeys: ["hook_event_name", "hookEventName"],
  sessionKeys: ["session_id", "sessionId"],
  // Requests of the program's own end like a sub-agent without a kind: for the summary of a compaction, which has an
  // event of its own, for a proposal of what the user may ask next, and for an aside (`/btw`).
  tellsNothing: (payload, event) => event === "SubagentStop" && payload.agent_type === "",
  hookTypes: {
    SessionStart: "session_start",
    UserPromptSubmit: "prompt_submit",
    PreToolUse: "pre_tool_use",
    PostToolUse: "post_tool_use",
    PostToolUseFailure: "post_tool_failure",
    PermissionRequest: "notification",
    PermissionDenied: "notification",
    Notification: "notification",
    SubagentStart: "subagent_start",
    SubagentStop: "subagent_stop",
    Stop: "stop",
    StopFailure: "notification",
    PreCompact: "pre_compact",
    TaskCompleted: "task_completed",
    SessionEnd: "session_end",
  },
  hookTypeOf: (payload, event) => {
    if (event === "UserPromptSubmit") return placeOfUser(payload);
    // The summary of a compacted conversation is the assistant's own text.
    return event === "PostCompact" && isText(payload.compact_summary) ? "stop" : undefined;
  },
  normalise: {
    // The tool has not run and may never run: a request for permission is a notification, not a tool use.
    PermissionRequest: (data) => ({
      ...data,
      notificationType: "permission_request",
      message: toldCall(data).join(": "),
    }),
    PermissionDenied: (data) => ({
      ...data,
      notificationType: "permission_denied",
      message: [...toldCall(data), data.reason].filter(isText).join(": "),
    }),
    UserPromptSubmit: (data) =>
      placeOfUser(data) === "notification" ? moved(data, { prompt: "message" }) : data,
    PostCompact: ({ compact_summary: told, ...data }) =>
      isText(told) ? { ...data, assistantResponse: summaryOfHook(told), is_compact_summary: true } : data,
    // No model has answered: what the user is shown in its place is the program's own text.
    StopFailure: (data) => ({
      ...data,
      notificationType: turnFailed,
      message: [data.last_assistant_message, data.error_details, data.error_message, data.error].find(isText),
    }),
  },
};

/**
 * The hook type of a prompt that the user did not write: the task of a sub-agent, or a message of the program
 * itself.
 */
function placeOfUser({ agent_id: agentId, source, prompt }: Payload): string | undefined {
  if (isText(agentId)) return "subagent_start";
  // Claude Code does not always send the source.
  const isOfProgram =
    source === "system" || source === "poll_event" || (isText(prompt) && isAgentNote(prompt));
  return isOfProgram ? "notification" : undefined;
}

function toldCall({ tool_name: tool, tool_input: input }: Payload): string[] {
  return [tool, ownerOf(input)].filter(isText);
}

function ownerOf(toolInput: unknown): unknown {
  if (!isObject(toolInput)) return toolInput;
  return toolInput.command ?? toolInput.file_path ?? toolInput.url ?? toolInput.description;
}

// Codex uses Claude Code's format and adds `turn_id` to the events of a turn.
export const codex: Dialect = {
  ...claudeCode,
  agent: "codex",
  recognises: (payload) => isText(payload.turn_id),
};

/** Whether a command of Codex has ended. Its exit code is in the transcript (`src/cli/observe/codex-command.ts`). */
export function endsCodexCommand(payload: Payload): boolean {
  const { hook_event_name: event, tool_name: tool, transcript_path: transcript } = payload;
  return event === "PostToolUse" && tool === "Bash" && isText(transcript) && codex.recognises(payload, event);
}

// Copilot CLI uses Claude Code's format for events that have Claude Code's names. Tool results have a form of
// their own, in which a failed command counts as a success. The events of a sub-agent have its id in place of the
// session's, which is then that of its parent.
export const copilotCli: Dialect = {
  ...claudeCode,
  agent: "copilot-cli",
  recognises: (payload) =>
    isOfSubagent(payload) ||
    (isObject(payload.tool_result) && isText(payload.tool_result.text_result_for_llm)),
  sessionKeys: ["parent_agent_id", "session_id"],
  // The parent reports the end of its sub-agent, with the answer.
  tellsNothing: (payload, event) => event === "Stop" && isOfSubagent(payload),
  normalise: {
    PostToolUse: ({ tool_result: result, ...data }) => ({
      ...data,
      ...(isObject(result) ? copilotOutput(result.text_result_for_llm) : { toolOutput: result }),
    }),
  },
};

/** Whether a turn of Copilot CLI has ended. Its answer is in the transcript (`src/cli/observe/copilot-turn.ts`). */
export function endsCopilotTurn(payload: Payload): boolean {
  const { hook_event_name: event, transcript_path: transcript, last_assistant_message: answer } = payload;
  const isTold = isText(answer) || isOfSubagent(payload);
  return event === "Stop" && !isTold && isText(transcript) && /[\\/]events\.jsonl$/.test(transcript);
}

function isOfSubagent({ session_id: session, agent_id: agent, parent_agent_id: parent }: Payload): boolean {
  return isText(parent) && isText(agent) && session === agent;
}

/**
 * The last line of a command's output says how it ended. The shell id tells apart calls with equal output.
 */
const shellEnd =
  /(?:^|\n)<(?:detached command with )?shellId: ([^\r\n<>]{1,200}) completed with exit code (-?\d{1,10})>\s{0,20}$/u;

function copilotOutput(text: unknown): Payload {
  const [line, shellId, exitCode] = (isText(text) ? shellEnd.exec(text) : null) ?? [];
  if (line === undefined || !isText(text)) return { toolOutput: text };
  return { toolOutput: text.slice(0, -line.length), exitCode: Number(exitCode), shellId };
}

// VS Code runs the hooks in Claude Code's settings. It adds a timestamp, and some versions write two fields
// in camel case.
export const visualStudioCode: Dialect = {
  ...claudeCode,
  agent: "vscode",
  recognises: (payload, event) =>
    isText(payload.hookEventName) ||
    (isText(payload.timestamp) &&
      Object.hasOwn(claudeCode.hookTypes, event) &&
      // Copilot CLI sends it as well.
      !isText(payload.stop_reason)),
};

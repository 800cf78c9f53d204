import { isText } from "../../../json/is-text.ts";
import { isDeeperThan } from "../../../json/parse-json.ts";
import { withDriveFirst } from "../../../paths/path-text.ts";
import { recordIn } from "../calls/json-text.ts";
import { claudeCode } from "./claude-hooks.ts";
import type { Dialect } from "./hook-dialect.ts";
import { moved, type Payload } from "./hook-fields.ts";

export const cursor: Dialect = {
  agent: "cursor",
  recognises: (payload) =>
    isText(payload.conversation_id) ||
    isText(payload.generation_id) ||
    Array.isArray(payload.workspace_roots),
  eventKeys: ["hook_event_name"],
  sessionKeys: ["conversation_id", "session_id"],
  hookTypes: {
    // Cursor also runs hooks that were written for Claude Code, with Claude Code's event names.
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

/** Gives an event that is a tool use, but has fields of its own, the usual field names. */
function asTool(toolName: string, data: Payload, inputKeys: readonly string[]): Payload {
  const toolInput = Object.fromEntries(inputKeys.filter((key) => key in data).map((key) => [key, data[key]]));
  const rest = Object.fromEntries(Object.entries(data).filter(([key]) => !inputKeys.includes(key)));
  return timed({ toolName, toolInput, ...rest });
}

/** An event nested deeper than 64 levels is refused as a whole; a string does not count as nesting. */
const deepestOutput = 48;

/** Parses tool output that Cursor wrote as JSON in a string; text that is no object stays as it is. */
function opened(data: Payload, key: string): Payload {
  const value = data[key];
  const record = typeof value === "string" ? recordIn(value) : undefined;
  return record === undefined || isDeeperThan(deepestOutput, record) ? data : { ...data, [key]: record };
}

/** Cursor's `duration` is in milliseconds. */
function timed(data: Payload): Payload {
  return typeof data.duration === "number" ? moved(data, { duration: "durationMs" }) : data;
}

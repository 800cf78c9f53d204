import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import type { Dialect } from "./hook-dialect.ts";
import type { Payload } from "./hook-fields.ts";

/** The hooks of Windsurf: event names of its own, with all details of an event in one field. */
export const windsurf: Dialect = {
  agent: "windsurf",
  recognises: (payload) => isText(payload.agent_action_name),
  eventKeys: ["agent_action_name"],
  sessionKeys: ["trajectory_id"],
  hookTypes: {
    pre_user_prompt: "prompt_submit",
    pre_read_code: "pre_tool_use",
    post_read_code: "post_tool_use",
    pre_write_code: "pre_tool_use",
    post_write_code: "post_tool_use",
    pre_run_command: "pre_tool_use",
    post_run_command: "post_tool_use",
    pre_mcp_tool_use: "pre_tool_use",
    post_mcp_tool_use: "post_tool_use",
    post_cascade_response: "stop",
  },
  normalise: {
    pre_user_prompt: (data) => told(data, ({ user_prompt: prompt }) => ({ prompt })),
    pre_read_code: (data) => told(data, (toolInput) => ({ toolName: "Read", toolInput })),
    post_read_code: (data) => told(data, (toolInput) => ({ toolName: "Read", toolInput })),
    pre_write_code: (data) => told(data, (toolInput) => ({ toolName: "Edit", toolInput })),
    post_write_code: (data) => told(data, (toolInput) => ({ toolName: "Edit", toolInput })),
    pre_run_command: (data) => told(data, command),
    post_run_command: (data) => told(data, command),
    pre_mcp_tool_use: (data) => told(data, serverCall),
    post_mcp_tool_use: (data) => told(data, serverCall),
    post_cascade_response: (data) => told(data, answer),
  },
};

function told({ tool_info: given, ...data }: Payload, read: (told: Payload) => Payload): Payload {
  return isObject(given) ? { ...data, ...read(given) } : { ...data, tool_info: given };
}

function command({ command_line: line, ...rest }: Payload): Payload {
  return { toolName: "run_command", toolInput: { command: line, ...rest } };
}

function serverCall(call: Payload): Payload {
  const { mcp_server_name: server, mcp_tool_name: tool, mcp_tool_arguments: toolInput, ...rest } = call;
  const { mcp_result: toolOutput, ...others } = rest;
  return { toolName: `mcp__${server}__${tool}`, toolInput, toolOutput, ...others };
}

/** Removes the headings between what was said before and after tool calls. */
function answer({ response, ...rest }: Payload): Payload {
  const said = isText(response) ? response.replace(/^### Planner Response[ \t]*$/gmu, "") : response;
  return {
    assistantResponse: typeof said === "string" ? said.replace(/\n{3,}/gu, "\n\n").trim() : said,
    ...rest,
  };
}

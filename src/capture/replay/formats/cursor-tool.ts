import { isText } from "../../../json/is-text.ts";
import { recordIn } from "../../observations/calls/json-text.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { blocksOf } from "./blocks.ts";

/* The tools of Cursor, whose names and fields have changed from version to version. */

interface Tool {
  readonly name: string;
  readonly input: unknown;
}

const hookNames: Readonly<Record<string, string>> = {
  edit_file: "Edit",
  edit_file_v2: "Edit",
  search_replace: "Edit",
  write: "Write",
  write_file: "Write",
  create_file: "Write",
  read_file: "Read",
  read_file_v2: "Read",
  delete_file: "Delete",
  run_terminal_cmd: "Shell",
  run_terminal_command: "Shell",
  run_terminal_command_v2: "Shell",
  grep: "Grep",
  grep_search: "Grep",
  rg: "Grep",
  ripgrep: "Grep",
  ripgrep_raw_search: "Grep",
  glob_file_search: "Glob",
  web_search: "WebSearch",
  task: "Task",
  task_v2: "Task",
  todo_write: "TodoWrite",
};

const pathFields = ["relativeWorkspacePath", "targetFile", "target_file", "effectiveUri"] as const;

export function cursorTool(tool: string, input: Fields): Tool {
  if (tool === "mcp" || tool === "call_mcp_tool") return mcpTool(input);
  const name = hookNames[tool] ?? tool;
  const path = pathFields.map((field) => input[field]).find(isText);
  const known = Object.fromEntries(
    Object.entries(input).filter(([field]) => !(pathFields as readonly string[]).includes(field)),
  );
  const { streamingContent, oldString, newString, old_string: before = oldString, ...rest } = known;
  const { new_string: after = newString, ...fields } = rest;
  if (name === "Shell") return { name, input: { command: fields.command, cwd: fields.cwd } };
  return {
    name,
    input: {
      ...(path === undefined ? {} : { file_path: path }),
      ...fields,
      ...(before === undefined && after === undefined ? {} : { old_string: before, new_string: after }),
      ...(isText(streamingContent) ? { content: streamingContent } : {}),
    },
  };
}

/** Cursor's name of an MCP tool is its own, or has the server's before it. */
function mcpTool(input: Fields): Tool {
  const [told] = blocksOf(input.tools);
  const { name, serverName, parameters } = told ?? {
    ...{ name: input.toolName ?? input.name, serverName: input.server ?? input.serverName },
    parameters: input.arguments ?? input.args,
  };
  const args = isText(parameters) ? (recordIn(parameters) ?? parameters) : objectOf(parameters);
  return { name: isText(serverName) ? `mcp__${serverName}__${textOf(name)}` : textOf(name), input: args };
}

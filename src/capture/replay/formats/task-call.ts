import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { recordIn } from "../../observations/calls/json-text.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { type Edit, editsIn } from "./search-replace.ts";

/* The calls of Cline's extension and its offspring, with names and fields of which the rest of memsvc knows what they do. */

interface ToolCall {
  readonly name: unknown;
  readonly input: unknown;
}

/** Tools whose own names do not tell that they change a file, or a plan. */
const knownNames: ReadonlyMap<unknown, string> = new Map([
  ["apply_diff", "Edit"],
  ["edit_file", "Edit"],
  ["insert_content", "Edit"],
  ["replace_in_file", "Edit"],
  ["search_and_replace", "Edit"],
  ["search_replace", "Edit"],
  ["update_todo_list", "TodoWrite"],
]);

export function knownCall(tool: string, given: unknown): ToolCall {
  const fields = withoutBookkeeping(given);
  if (!isObject(fields)) return { name: knownNames.get(tool) ?? tool, input: given };
  if (tool === "use_mcp_tool") {
    const { server_name: server, tool_name: name, arguments: args } = fields;
    return { name: `mcp__${server}__${name}`, input: recordIn(textOf(args)) ?? args };
  }
  const [, server, name] = nativeMcpTool.exec(tool) ?? [];
  if (server !== undefined) return { name: `mcp__${server}__${name}`, input: fields };
  return { name: knownNames.get(tool) ?? tool, input: inputOf(tool, fields) };
}

/** Roo Code's names of MCP tools that a model calls by itself. */
const nativeMcpTool = /^mcp--(.+?)--(.+)$/;

/** What is told with every call, and is no part of it. */
function withoutBookkeeping(input: unknown): unknown {
  if (!isObject(input)) return input;
  const { task_progress: _plan, requires_approval: _approval, ...fields } = input;
  return fields;
}

function inputOf(tool: string, { diff, todos, operations, search, replace, args, ...rest }: Fields): unknown {
  const fields = isObject(args) ? { ...rest, ...args } : { ...rest, ...(args === undefined ? {} : { args }) };
  if (tool === "update_todo_list") return { ...fields, todos: isText(todos) ? todosIn(todos) : todos };
  const told = editsOf({ diff, operations, search, replace });
  return {
    ...fields,
    ...(told.length > 0 ? { edits: told } : withoutUndefined({ diff, operations, search, replace })),
    ...(todos === undefined ? {} : { todos }),
  };
}

function editsOf({ diff, operations, search, replace }: Fields): readonly Edit[] {
  if (isText(diff)) return editsIn(diff);
  const told = Array.isArray(operations) ? operations.map(objectOf) : [{ search, replace }];
  return told.flatMap((one) =>
    isText(one.search) ? [{ old_string: one.search, new_string: textOf(one.replace) }] : [],
  );
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const todo = /^\s*(?:[-*]\s+)?\[([ x~-])\]\s+(.+)$/i;
const statuses: Readonly<Record<string, string>> = {
  " ": "pending",
  x: "completed",
  "-": "in_progress",
  "~": "in_progress",
};

function todosIn(list: string): readonly Fields[] {
  return list.split("\n").flatMap((line) => {
    const [, mark = "", content] = todo.exec(line) ?? [];
    return content === undefined ? [] : [{ content, status: statuses[mark.toLowerCase()] }];
  });
}

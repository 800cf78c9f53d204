import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { blocksOf } from "./blocks.ts";

/* The tools of chats in VS Code. Hooks report calls by the same names and ids. */

interface Tool {
  readonly name: string;
  readonly input: unknown;
}

/** A call as the model made it, with fields of which it is known what they mean. */
export function chatTool(tool: string, input: unknown): Tool {
  if (!isObject(input)) return { name: tool, input };
  if (tool === "runSubagent" || tool === "search_subagent") return { name: "Agent", input };
  if (tool === "manage_todo_list") return { name: "TodoWrite", input: { todos: todosOf(input.todoList) } };
  if (tool === "insert_edit_into_file") {
    const { code, ...rest } = input;
    return { name: tool, input: { ...rest, content: code } };
  }
  const { replacements, ...rest } = input;
  return { name: tool, input: Array.isArray(replacements) ? { ...rest, edits: replacements } : input };
}

function todosOf(list: unknown): readonly Fields[] {
  return blocksOf(list).map(({ title, status }) => ({
    content: title,
    status: status === "not-started" ? "pending" : status,
  }));
}

interface ShownCall extends Tool {
  readonly id: string;
  readonly outcome: Fields;
}

/** A call as the user was shown it: a change of a file, or a tool. `id` is used if it has none. */
export function shownCall(part: Fields, id: string): ShownCall {
  if (part.kind === "edit") {
    const edits = [part.texts].flat().map((text) => ({ old_string: "", new_string: text }));
    return { id, name: "Edit", input: { file_path: part.path, edits }, outcome: {} };
  }
  const { toolId, toolCallId, told, output, isError, paths, data } = part;
  const { kind, command, rawInput, prompt, description, todoList, result, ...ended } = objectOf(data);
  const printed = [result, ended.output, output].find(isText) ?? "";
  const outcome = isError === true ? { error: printed } : { tool_response: printed };
  const own = { id: textOf(toolCallId) || id, outcome };
  switch (kind) {
    case "terminal": {
      const exitCode = typeof ended.exitCode === "number" ? { exitCode: ended.exitCode } : {};
      return { ...own, name: "run_in_terminal", input: { command }, outcome: { ...outcome, ...exitCode } };
    }
    case "subagent":
      return { ...own, name: "Agent", input: { description, prompt } };
    case "todoList":
      return { ...own, name: "TodoWrite", input: { todos: todosOf(todoList) } };
    default:
      return {
        ...own,
        name: textOf(toolId) || "unknown",
        input: rawInput ?? { description: told, files: paths },
      };
  }
}

import { recordIn } from "../../observations/calls/json-text.ts";
import type { Fields } from "../transcript-line.ts";
import { withoutLineBreaks } from "./task-text.ts";

/*
 * Models without calls of their own write them as XML into their answers: `<read_file><path>a.ts</path></read_file>`.
 * Such a call begins its line, and only names of tools begin one, because answers may contain other XML.
 */

const tools: readonly string[] = [
  ...["access_mcp_resource", "apply_diff", "apply_patch", "ask_followup_question", "attempt_completion"],
  ...["browser_action", "codebase_search", "condense", "delete_file", "edit_file", "execute_command"],
  ...["fetch_instructions", "generate_image", "insert_content", "list_code_definition_names", "list_files"],
  ...["load_mcp_documentation", "new_rule", "new_task", "plan_mode_respond", "plan_mode_response"],
  ...[
    "read_file",
    "replace_in_file",
    "report_bug",
    "run_slash_command",
    "search_and_replace",
    "search_files",
  ],
  ...[
    "search_replace",
    "simple_read_file",
    "summarize_task",
    "switch_mode",
    "update_todo_list",
    "use_mcp_tool",
  ],
  ...["use_skill", "use_subagents", "web_fetch", "web_search", "write_to_file"],
];
const start = new RegExp(String.raw`^[ \t]*<(thinking|${tools.join("|")})>`, "gm");

type SaidOrCalled =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly name: string; readonly input: Fields };

/** The texts and the calls in an answer, in their order. What the model thought is left out. */
export function saidAndCalled(answer: string): readonly SaidOrCalled[] {
  const found: SaidOrCalled[] = [];
  const says = (text: string) => {
    if (text.trim() !== "") found.push({ kind: "text", text: text.trim() });
  };
  let from = 0;
  for (const match of answer.matchAll(start)) {
    const [whole, name = ""] = match;
    if (match.index < from) continue;
    const end = endOf(answer, name, match.index + whole.length);
    says(answer.slice(from, match.index));
    const body = answer.slice(match.index + whole.length, end.body);
    if (name !== "thinking") found.push({ kind: "call", name, input: parametersIn(body) });
    from = end.after;
  }
  says(answer.slice(from));
  return found;
}

/** Where a call's text ends; an answer that was interrupted does not end it. */
function endOf(answer: string, name: string, from: number): { body: number; after: number } {
  const tag = `</${name}>`;
  const at = answer.indexOf(tag, from);
  return at < 0 ? { body: answer.length, after: answer.length } : { body: at, after: at + tag.length };
}

/** Parameters that may contain their own end, as files do. */
const verbatim: ReadonlySet<string> = new Set(["content", "diff", "result", "response", "arguments"]);
/** Parameters that have parameters themselves. */
const nested: ReadonlySet<string> = new Set(["args", "file", "files"]);
/** No tool has parameters in parameters of parameters of its parameters. */
const deepest = 4;
const parameterStart = /\s*<(\w{1,100})>/y;

function parametersIn(body: string, depth = 0): Fields {
  const parameters = new Map<string, unknown[]>();
  let from = 0;
  for (;;) {
    parameterStart.lastIndex = from;
    const [whole, name] = parameterStart.exec(body) ?? [];
    if (whole === undefined || name === undefined) break;
    const valueStart = from + whole.length;
    const tag = `</${name}>`;
    const found = verbatim.has(name) ? body.lastIndexOf(tag) : body.indexOf(tag, valueStart);
    const end = found < valueStart ? body.length : found;
    const value = parameterValue(name, body.slice(valueStart, end), depth);
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
    from = end + tag.length;
  }
  return Object.fromEntries(
    [...parameters].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function parameterValue(name: string, text: string, depth: number): unknown {
  const isNested = nested.has(name) || (name === "diff" && text.trimStart().startsWith("<content>"));
  if (isNested && depth < deepest && text.trimStart().startsWith("<")) return parametersIn(text, depth + 1);
  if (name === "arguments") return recordIn(text) ?? text.trim();
  return verbatim.has(name) ? withoutLineBreaks(text) : text.trim();
}

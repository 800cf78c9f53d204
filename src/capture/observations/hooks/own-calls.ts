import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { reportsCall } from "../calls/tool-hooks.ts";
import type { Payload } from "./hook-fields.ts";

/*
 * Agents also report calls of this program's own MCP tools. These are no work on the project: what they store
 * is stored already, and a captured question would be the best hit for the next similar question. The same
 * holds for the tool search that precedes the first such call, whose answer is the tools' descriptions.
 */

/**
 * The tools of the server that `connect` calls memsvc, as agents name them: `mcp__memsvc__memory_recall`,
 * `memsvc-memory_save`. In lower case, because V8 compiles that in a fifth of the time.
 */
const ownTool = /(?:^|[^a-z0-9])memsvc[^a-z0-9]+memory_[a-z_]+$/;

/** The tool with which agents look up tools of which they only know the names. */
const toolSearch = /^tool_?search$/;

export function isOwnTool(name: unknown): boolean {
  if (typeof name !== "string") return false;
  const lower = name.toLowerCase();
  return ownTool.test(lower) || toolSearch.test(lower);
}

/** `tools.memsvc.memory_recall(` in a script, with its name in the group. */
const scriptedCall = /\btools([.[][\w$.[\]"'-]{1,200})\(/g;

/** Whether the calls of a script, which OpenCode reports as one, are all of this program's tools. */
function isOwnScript(tool: unknown, input: unknown): boolean {
  if (tool !== "execute" || !isObject(input) || !isText(input.code)) return false;
  const called = [...input.code.matchAll(scriptedCall)].map(([, name = ""]) =>
    name.replace(/[."'[\]]+/g, " ").trim(),
  );
  return called.length > 0 && called.every((name) => isOwnTool(name) || name === "$codemode search");
}

/** Whether an event is a call of this program's own tools, or a search for tools. */
export function isOwnCall({ hookType, data }: { hookType: string; data: Payload }): boolean {
  if (!reportsCall(hookType)) return false;
  const tool = data.toolName ?? data.tool_name ?? data.tool;
  return isOwnTool(tool) || isOwnScript(tool, data.toolInput ?? data.tool_input);
}

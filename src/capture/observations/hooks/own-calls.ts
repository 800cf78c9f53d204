import { tellsCall } from "../rules/tool-hooks.ts";
import type { Payload } from "./hook-fields.ts";

/*
 * Agents tell their hooks of the tools of this program's own MCP server, too. Such a call is no work on the project:
 * what it stores is stored already, and kept as an event, a question would be the best answer to the next like it. Nor is
 * the look-up of tools, which comes before the first such call of a session and answers with what tools say of themselves.
 */

/** As agents name the tools of the server that `connect` calls memsvc: `mcp__memsvc__memory_recall`, `memsvc-memory_save`. */
const ownTool = /(?:^|[^a-z0-9])memsvc[^a-z0-9]+memory_[a-z_]+$/i;

/** How agents look up what the tools can do that they were told of only by name, those of this program among them. */
const toolSearch = /^tool_?search$/i;

export function isOwnTool(name: unknown): boolean {
  return typeof name === "string" && (ownTool.test(name) || toolSearch.test(name));
}

/** Whether an event tells of a call of this program's own tools, or of one that looks for tools. */
export function isOwnCall({ hookType, data }: { hookType: string; data: Payload }): boolean {
  return tellsCall(hookType) && isOwnTool(data.toolName ?? data.tool_name ?? data.tool);
}

import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { Settings } from "../config/load.ts";
import { groupBy } from "../group-by.ts";
import { catalogue } from "../operation/catalogue.ts";
import type { Operation } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
import type { ToolOperation } from "./arguments.ts";
import { type McpTool, toolOf } from "./tool.ts";

/** The setting MEMSVC_TOOLS: which tools are offered. */
export type ToolSet = Pick<Settings, "tools">;

/** Other programs' names for our tools; accepted in calls, but not listed. */
const otherNames: Readonly<Record<string, string>> = { memory_obsidian_export: "memory_vault_export" };

let made: ReadonlyMap<string, McpTool> | undefined;

/** The tools of some operations, by name. */
export function toolsOf(operations: readonly Operation[]): Map<string, McpTool> {
  const byTool = groupBy(operations.filter(isTool), ({ mcp }) => mcp.tool);
  return new Map([...byTool].map(([name, members]) => [name, toolOf(members)]));
}

export function isTool(operation: Operation): operation is ToolOperation {
  return operation.mcp !== undefined;
}

/** Every tool; made of the catalogue at first use. */
export function allTools(): ReadonlyMap<string, McpTool> {
  made ??= toolsOf(catalogue);
  return made;
}

/** The offered tools as lists show them. Core tools come first, because some clients take only a limited number. */
export function listTools(set: ToolSet): Tool[] {
  return [...allTools().values()]
    .filter((tool) => isOffered(tool, set))
    .toSorted((a, b) => Number(b.isCore) - Number(a.isCore))
    .map(({ listed }) => listed);
}

/** The tool of that name. Error: invalid_input if no such tool is offered. */
export function offeredTool(name: string, set: ToolSet): McpTool {
  const tool = allTools().get(otherNames[name] ?? name);
  if (tool !== undefined && isOffered(tool, set)) return tool;
  const why = tool === undefined ? "is not known" : "is not offered here (MEMSVC_TOOLS=core)";
  throw new MemsvcError("invalid_input", `the tool ${name} ${why}`, {
    hint: "see the list of tools",
    issues: [{ path: "name", message: `no such tool: ${name}` }],
  });
}

/** Whether calls of that tool are answered. */
export function isToolOffered(name: string, set: ToolSet): boolean {
  const tool = allTools().get(name);
  return tool !== undefined && isOffered(tool, set);
}

function isOffered({ isCore }: McpTool, { tools }: ToolSet): boolean {
  return tools === "all" || isCore;
}

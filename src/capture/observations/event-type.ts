import type { Event, PickedFields } from "./pickup.ts";

/** The 15 types of an observation. `decision` and `discovery` come from model compression and imports only. */
export const observationTypes = [
  ...([
    "file_read",
    "file_write",
    "file_edit",
    "command_run",
    "search",
    "web_fetch",
    "conversation",
  ] as const),
  ...(["error", "decision", "discovery", "subagent", "notification", "task", "image", "other"] as const),
] as const;

export type ObservationType = (typeof observationTypes)[number];

// First match wins; a tool's name, in lower case, contains one of the words. From the contract on types.
const toolKinds = [
  { type: "web_fetch", words: ["fetch", "http", "web", "browser"] },
  { type: "search", words: ["grep", "search", "glob", "find"] },
  { type: "command_run", words: ["bash", "shell", "exec", "run", "terminal", "command"] },
  { type: "file_edit", words: ["edit", "update", "patch", "replace"] },
  { type: "file_write", words: ["write", "create"] },
  { type: "file_read", words: ["read", "view", "open", "cat"] },
  { type: "subagent", words: ["task", "agent"] },
] as const satisfies readonly { type: ObservationType; words: readonly string[] }[];

export type ToolKind = (typeof toolKinds)[number]["type"];

/** What a tool of this name does, or undefined for a name that tells nothing. */
export function toolKind(toolName: string): ToolKind | undefined {
  const name = toolName.toLowerCase();
  return toolKinds.find(({ words }) => words.some((word) => name.includes(word)))?.type;
}

/** The tool name that stands for a whole exchange: its input is the user's text, its output the assistant's. */
export function isConversationTool(toolName: string | undefined): boolean {
  return toolName?.toLowerCase() === "conversation";
}

/** The type of an observation by the rules of the contract: the first condition that holds decides. */
export function eventType(event: Pick<Event, "hookType">, picked: PickedFields): ObservationType {
  const { hookType } = event;
  if (hookType === "post_tool_failure") return "error";
  if (hookType === "post_tool_use" && picked.error !== undefined) return "error";
  if (hookType === "prompt_submit" || isConversationTool(picked.toolName)) return "conversation";
  if (hookType === "stop" && picked.assistantResponse !== undefined) return "conversation";
  if (hookType === "subagent_start" || hookType === "subagent_stop") return "subagent";
  if (hookType === "task_completed") return "task";
  if (hookType === "notification") return "notification";
  if (picked.changeKind !== undefined) {
    return /^(?:add|create)$/i.test(picked.changeKind.trim()) ? "file_write" : "file_edit";
  }
  const kind = picked.toolName === undefined ? undefined : toolKind(picked.toolName);
  if (kind !== undefined) return kind;
  if (hasText(picked)) return "conversation";
  return picked.image !== undefined && picked.toolName === undefined ? "image" : "other";
}

function hasText(picked: PickedFields): boolean {
  const texts = [picked.userPrompt, picked.assistantResponse, picked.error];
  if (texts.some((text) => text !== undefined)) return true;
  return picked.toolName === undefined && typeof picked.toolOutput === "string";
}

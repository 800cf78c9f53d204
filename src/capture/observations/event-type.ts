import { isConversationTool, toolKind } from "./calls/tool-kind.ts";
import type { Event, PickedFields } from "./pick-up-fields.ts";

/** The 15 types of an observation. `decision` and `discovery` come only from models and imports. */
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

/** The types that rules give. */
export type EventType = Exclude<ObservationType, "decision" | "discovery">;

/** The type of an observation by the rules of the contract: the first condition that holds decides. */
export function eventType(event: Pick<Event, "hookType">, picked: PickedFields): EventType {
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

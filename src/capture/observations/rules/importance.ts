import { countCodePoints } from "../../../text/code-points.ts";
import { isConversationTool } from "../calls/tool-kind.ts";
import { isMilestoneCommand } from "../commands/command-kind.ts";
import { hasDecisionCue, hasPreferenceCue } from "../prose/cues.ts";
import type { ParsedEvent } from "./parsed-event.ts";

export const errorImportance = 7;
export const repeatedErrorImportance = 8;

const shortPrompt = 12;
const byHook: ReadonlyMap<string, number> = new Map([
  ["pre_tool_use", 2],
  ["pre_compact", 2],
  ["notification", 2],
  ["subagent_start", 2],
  ["subagent_stop", 5],
  ["session_start", 1],
  ["session_end", 1],
]);

/** The importance of an event, 1 to 10. An error counts as the first of its kind in the project. */
export function importanceOf(parsed: ParsedEvent): number {
  const { type, picked, event } = parsed;
  if (type === "error") return errorImportance;
  const fixed = isConversationTool(picked.toolName) ? undefined : byHook.get(event.hookType);
  if (fixed !== undefined) return fixed;
  switch (type) {
    case "conversation":
      return talkImportance(parsed);
    case "command_run":
      return commandImportance(parsed);
    case "file_edit":
    case "file_write":
    case "task":
      return 6;
    case "subagent":
      return 5;
    case "web_fetch":
    case "image":
      return 4;
    case "file_read":
    case "search":
    case "notification":
    case "other":
      return 3;
  }
}

function commandImportance({ picked }: ParsedEvent): number {
  if (picked.exitCode !== undefined && picked.exitCode !== 0) return 6;
  return isMilestoneCommand(picked.input.command ?? "") ? 5 : 4;
}

function talkImportance({ said, isNote, answer }: ParsedEvent): number {
  const ofPrompt = said === undefined ? 0 : promptImportance(isNote ? "" : said);
  const ofAnswer = answer === undefined ? 0 : hasDecisionCue(answer) ? 6 : 4;
  return Math.max(ofPrompt, ofAnswer) || 3;
}

function promptImportance(prompt: string): number {
  if (hasDecisionCue(prompt) || hasPreferenceCue(prompt, "user")) return 8;
  const start = prompt.trim();
  return start.length < 2 * shortPrompt && countCodePoints(start) < shortPrompt ? 3 : 6;
}

import { isText } from "../../../json/is-text.ts";
import { copilotCli as hooks } from "../../observations/hooks/claude-hooks.ts";
import { type Fields, objectOf } from "../transcript-line.ts";
import { callLine, resultLine, sessionLine, summaryLine, textLine } from "./lines.ts";
import { normalised } from "./normalised.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/* The transcripts of Copilot CLI: each line is an event `{type, data, id, timestamp}`. */

export const copilotCli: TranscriptFormat = {
  agent: "copilot-cli",
  recognises: ({ type, data }) => type === "session.start" && isText(objectOf(data).sessionId),
  translator: () => lines,
};

function lines({ type, data, id, timestamp, agentId }: Fields): readonly Fields[] {
  const told = objectOf(data);
  const facts = { timestamp, uuid: id, ...(isText(agentId) ? { isSidechain: true, agentId } : {}) };
  switch (type) {
    case "session.start":
      return [sessionLine({ sessionId: told.sessionId, cwd: objectOf(told.context).cwd, timestamp })];
    case "user.message":
      return textLine("user", told.content, {
        ...facts,
        isMeta: isOfProgram(told.source) && !isText(agentId),
      });
    case "assistant.message":
      return textLine("assistant", told.content, facts);
    case "tool.execution_start":
      return [callLine({ id: told.toolCallId, name: hookName(told.toolName), input: told.arguments }, facts)];
    case "tool.execution_complete":
      return [resultLine(told.toolCallId, outcomeOf(told), facts)];
    case "session.compaction_complete":
      return summaryLine(told.summaryContent, facts);
    default:
      return [];
  }
}

/** The user's own prompts name no source; a sub-agent's name that agent. */
function isOfProgram(source: unknown): boolean {
  return isText(source) && source !== "user";
}

/** The names that its hooks have for its tools. */
const hookNames: ReadonlyMap<unknown, string> = new Map([
  ["apply_patch", "Edit"],
  ["bash", "Bash"],
  ["create", "Write"],
  ["edit", "Edit"],
  ["glob", "Glob"],
  ["grep", "Grep"],
  ["powershell", "Bash"],
  ["rg", "Grep"],
  ["str_replace_editor", "Edit"],
  ["task", "Agent"],
  ["update_todo", "TodoWrite"],
  ["view", "Read"],
  ["web_fetch", "WebFetch"],
]);

function hookName(tool: unknown): unknown {
  return hookNames.get(tool) ?? tool;
}

function outcomeOf({ success, result, error }: Fields): Fields {
  if (success === false) return { error: objectOf(error).message ?? error };
  const report = { tool_result: { text_result_for_llm: objectOf(result).content } };
  return normalised(hooks, "PostToolUse", report);
}

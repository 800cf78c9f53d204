import { isObject } from "../../../json/is-object.ts";
import { isEmpty } from "../rules/json-text.ts";
import { claudeCode, codex, copilotCli, visualStudioCode } from "./claude-hooks.ts";
import { cursor } from "./cursor-hooks.ts";
import type { Dialect } from "./hook-dialect.ts";
import { isText, moved } from "./hook-fields.ts";
import { windsurf } from "./windsurf-hooks.ts";

/*
 * How the hooks of coding agents speak: one declared dialect per agent says how its payloads are recognised, which
 * of its fields are the envelope, what its events are called here, and which of its own field names have to be put
 * under the names that the service picks up. Everything else of a payload is handed on as it is.
 */

/** The older `notify` program of Codex gets one kind of payload, with hyphenated names. */
const codexNotify: Dialect = {
  agent: "codex-notify",
  recognises: (payload) => payload.type === "agent-turn-complete",
  eventKeys: ["type"],
  sessionKeys: ["thread-id", "thread_id"],
  hookTypes: { "agent-turn-complete": "stop" },
  normalise: {
    "agent-turn-complete": (data) => moved(data, { "last-assistant-message": "assistantResponse" }),
  },
};

const geminiHookTypes = {
  BeforeTool: "pre_tool_use",
  AfterTool: "post_tool_use",
  BeforeAgent: "prompt_submit",
  AfterAgent: "stop",
  PreCompress: "pre_compact",
};

/** Events that Gemini CLI and Claude Code both have. */
const sharedHookTypes = {
  SessionStart: "session_start",
  SessionEnd: "session_end",
  Notification: "notification",
};

const geminiCli: Dialect = {
  agent: "gemini-cli",
  // A time tells it from Claude Code where both have an event, but never makes its own of Claude Code's others.
  recognises: (payload, event) =>
    Object.hasOwn(geminiHookTypes, event) ||
    (event !== "" &&
      isText(payload.timestamp) &&
      (Object.hasOwn(sharedHookTypes, event) || !Object.hasOwn(claudeCode.hookTypes, event))),
  eventKeys: ["hook_event_name"],
  sessionKeys: ["session_id"],
  hookTypes: { ...geminiHookTypes, ...sharedHookTypes },
  normalise: {
    AfterAgent: (data) => moved(data, { prompt_response: "assistantResponse" }),
    // A failed tool is told inside its response: {llmContent, returnDisplay, error}, where it may have said nothing else.
    AfterTool: ({ tool_response: response, ...data }) => {
      if (!isObject(response) || response.error === undefined || response.error === null)
        return { ...data, tool_response: response };
      const { error, ...said } = response;
      return { ...data, error, ...(Object.values(said).every(isEmpty) ? {} : { tool_response: said }) };
    },
  },
};

/** The first that recognises a payload reads it: those with fields of their own before the common shape. */
export const dialects: readonly Dialect[] = [
  ...[codexNotify, windsurf, cursor, codex, geminiCli, copilotCli, visualStudioCode, claudeCode],
];

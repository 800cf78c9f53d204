import { claudeCode, codex, copilotCli, visualStudioCode } from "./claude-hooks.ts";
import { cursor } from "./cursor-hooks.ts";
import { geminiCli } from "./gemini-hooks.ts";
import type { Dialect } from "./hook-dialect.ts";
import { moved } from "./hook-fields.ts";
import { qwenCode } from "./qwen-hooks.ts";
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

/** The first that recognises a payload reads it: those with fields of their own before the common shape. */
export const dialects: readonly Dialect[] = [
  ...[codexNotify, windsurf, cursor, codex, qwenCode, geminiCli, copilotCli, visualStudioCode, claudeCode],
];

import { claudeCode, codex, copilotCli, visualStudioCode } from "./claude-hooks.ts";
import { cursor } from "./cursor-hooks.ts";
import { droid } from "./droid-hooks.ts";
import { geminiCli } from "./gemini-hooks.ts";
import { grok } from "./grok-hooks.ts";
import type { Dialect } from "./hook-dialect.ts";
import { moved } from "./hook-fields.ts";
import { kimiCode } from "./kimi-hooks.ts";
import { qwenCode } from "./qwen-hooks.ts";
import { windsurf } from "./windsurf-hooks.ts";

/*
 * How the hooks of coding agents are read. Each agent has one declared dialect: how its payloads are
 * recognised, which fields are the envelope, what its events are called here, and which of its fields are
 * renamed to names that the service picks up. All other fields are passed on unchanged.
 */

/** The older `notify` setting of Codex sends one kind of payload, with hyphenated names. */
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

/**
 * The first dialect that recognises a payload reads it; those with distinctive fields come before the common
 * format.
 */
export const dialects: readonly Dialect[] = [
  ...[
    codexNotify,
    grok,
    windsurf,
    cursor,
    kimiCode,
    droid,
    codex,
    qwenCode,
    geminiCli,
    copilotCli,
    visualStudioCode,
    claudeCode,
  ],
];

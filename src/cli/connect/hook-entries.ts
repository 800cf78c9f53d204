import type { HookedAgentName } from "../observe/hook-behaviour.ts";
import type { PluginAgent } from "./agent-plugin.ts";
import { hookCommand, type Invocation, powershellCommand } from "./invocation.ts";

/*
 * The entries of the hooks for each agent: one per kind of event that the agent has and memsvc distinguishes, in the
 * format of its settings. All hooks of an agent run the same command; the payload tells which event it is.
 */

const shortSeconds = 10;
/** Without a daemon the hook itself does the work after a session's end, which takes longer. */
const endSeconds = 30;

interface HookStyle {
  readonly events: readonly string[];
  /** Makes the entry in an event's list. */
  readonly item: (command: string, event: string, powershell: string) => object;
}

/** A group with only our hook, as Claude Code and compatible agents expect. */
function groupOfOne(secondsAtEnd: number): HookStyle["item"] {
  return (command, event) => ({
    hooks: [{ type: "command", command, timeout: event === "SessionEnd" ? secondsAtEnd : shortSeconds }],
  });
}

interface WindowsCommand {
  readonly command: string;
  readonly shell?: "powershell";
}

/**
 * The format of Gemini CLI and Qwen Code; newer versions of the latter take timeouts too large for seconds as
 * milliseconds.
 */
function geminiItem(
  matchers: Readonly<Record<string, string>>,
  onWindows: (command: string, powershell: string) => WindowsCommand,
): HookStyle["item"] {
  return (command, event, powershell) => ({
    ...(Object.hasOwn(matchers, event) ? { matcher: matchers[event] } : {}),
    hooks: [
      {
        name: "memsvc",
        type: "command",
        ...(process.platform === "win32" ? onWindows(command, powershell) : { command }),
        timeout: (event === "SessionEnd" ? endSeconds : shortSeconds) * 1000,
      },
    ],
  });
}

/** The bare name would run npm's .ps1 script, which Windows does only if its execution policy was changed. */
function withNpmStarter(powershell: string): string {
  return powershell.replace(/^memsvc /u, "memsvc.cmd ");
}

/** The entries by event. */
export function hooksOf(
  agent: keyof typeof hookStyles,
  invocation: Invocation,
): Readonly<Record<string, object>> {
  const { events, item } = hookStyles[agent];
  const [command, powershell] = [hookCommand(agent, invocation), powershellCommand(agent, invocation)];
  return Object.fromEntries(events.map((event) => [event, item(command, event, powershell)]));
}

const claudeHooks: HookStyle = {
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "Notification",
    "SubagentStart",
    "SubagentStop",
    "TaskCompleted",
    "PreCompact",
    "PostCompact",
    "Stop",
    "StopFailure",
    "SessionEnd",
  ],
  // Claude Code's default timeout for hooks at a session's end is 1.5 s.
  item: groupOfOne(endSeconds),
};

const codexHooks: HookStyle = {
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "SessionEnd",
  ],
  item: (command, event, powershell) => ({
    hooks: [
      {
        type: "command",
        command,
        ...codexOnWindows(command, withNpmStarter(powershell)),
        // The agent allows at most 3 s at a session's end, and warns if a hook asks for more.
        timeout: event === "SessionEnd" ? 3 : shortSeconds,
      },
    ],
  }),
};

/** On Windows the agent runs hooks in PowerShell. The command for everybody stays for other systems. */
function codexOnWindows(command: string, powershell: string): { commandWindows?: string } {
  return process.platform === "win32" && powershell !== command ? { commandWindows: powershell } : {};
}

const geminiHooks: HookStyle = {
  events: [
    "SessionStart",
    "BeforeAgent",
    "BeforeTool",
    "AfterTool",
    "AfterAgent",
    "PreCompress",
    "Notification",
    "SessionEnd",
  ],
  // The agent checks before every model request whether to compress, and would run the hook each time: only manual
  // compression is hooked.
  item: geminiItem(
    { PreCompress: "manual" },
    // On Windows the agent runs hooks in PowerShell only.
    (_command, powershell) => ({ command: powershell }),
  ),
};

const qwenHooks: HookStyle = {
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "Notification",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Stop",
    "StopFailure",
    "SessionEnd",
  ],
  item: geminiItem(
    // Each session begins with a notification that the key was accepted, so only requests for permission are hooked.
    { Notification: "permission_prompt" },
    // On Windows the agent runs commands in cmd and breaks their quotes.
    (command, powershell) =>
      command.includes('"') ? { command: withNpmStarter(powershell), shell: "powershell" } : { command },
  ),
};

const cursorHooks: HookStyle = {
  events: [
    "sessionStart",
    "beforeSubmitPrompt",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
    "subagentStart",
    "subagentStop",
    "preCompact",
    "afterAgentResponse",
    "stop",
    "sessionEnd",
  ],
  item: (command, event) => ({ command, timeout: event === "sessionEnd" ? endSeconds : shortSeconds }),
};

const copilotHooks: HookStyle = {
  // With these event names the payloads have Claude Code's fields.
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "SessionEnd",
  ],
  // A failing hook before a tool forbids the tool: a program that was removed must not block every tool.
  item: (command, event, powershell) => ({
    type: "command",
    bash: `${command} || true`,
    powershell: `${withNpmStarter(powershell)}; exit 0`,
    timeoutSec: event === "SessionEnd" ? endSeconds : shortSeconds,
  }),
};

const kimiHooks: HookStyle = {
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "Notification",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "StopFailure",
    "SessionEnd",
  ],
  item: (command, event) => ({
    event,
    command,
    timeout: event === "SessionEnd" ? endSeconds : shortSeconds,
  }),
};

const droidHooks: HookStyle = {
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "SessionEnd",
  ],
  item: groupOfOne(endSeconds),
};

const grokHooks: HookStyle = {
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "StopFailure",
    "SessionEnd",
  ],
  item: groupOfOne(endSeconds),
};

const windsurfHooks: HookStyle = {
  events: [
    "pre_user_prompt",
    "pre_read_code",
    "post_read_code",
    "pre_write_code",
    "post_write_code",
    "pre_run_command",
    "post_run_command",
    "pre_mcp_tool_use",
    "post_mcp_tool_use",
    "post_cascade_response",
  ],
  item: (command) => ({ command, show_output: false }),
};

/** For every agent that has a behaviour (`hookBehaviours`) and no plugin. */
const hookStyles = {
  "claude-code": claudeHooks,
  codex: codexHooks,
  "gemini-cli": geminiHooks,
  "qwen-code": qwenHooks,
  cursor: cursorHooks,
  "copilot-cli": copilotHooks,
  "kimi-code": kimiHooks,
  droid: droidHooks,
  grok: grokHooks,
  windsurf: windsurfHooks,
} as const satisfies Record<Exclude<HookedAgentName, PluginAgent>, HookStyle>;

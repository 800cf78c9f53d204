import { hookCommand, type Invocation, powershellCommand } from "./invocation.ts";

/*
 * The hooks that each agent gets: one for every kind of event that it has and memsvc tells apart, in the shape of
 * its settings. All of an agent's hooks run the same command; what the event is stands in its payload.
 */

const shortSeconds = 10;
/** The work after a session's end is done in the hook where no daemon runs. */
const endSeconds = 30;

interface HookStyle {
  readonly events: readonly string[];
  /** The item of an event's list. */
  readonly item: (command: string, event: string, powershell: string) => object;
}

/** A group that holds our hook alone, as Claude Code and those that follow it want it. */
function groupOfOne(secondsAtEnd: number): HookStyle["item"] {
  return (command, event) => ({
    hooks: [{ type: "command", command, timeout: event === "SessionEnd" ? secondsAtEnd : shortSeconds }],
  });
}

interface WindowsCommand {
  readonly command: string;
  readonly shell?: "powershell";
}

/** As Gemini CLI wants it, and Qwen Code, whose newer versions take what is too long to be seconds for milliseconds. */
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

/** The name alone is that of npm's .ps1, which Windows runs only where its policy for scripts was changed. */
function withNpmStarter(powershell: string): string {
  return powershell.replace(/^memsvc /u, "memsvc.cmd ");
}

/** By event, what stands in its list. */
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
    "SessionEnd",
  ],
  // Without a time of its own the hook of a session's end is given 1.5 s.
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
  // More than 3 s are not given at a session's end, and asking for more is warned of.
  item: groupOfOne(3),
};

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
  // By itself it asks before every request to its model whether to compress, and runs the hook each time it asks.
  item: geminiItem(
    { PreCompress: "manual" },
    // PowerShell runs it, and no other shell.
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
    "SessionEnd",
  ],
  item: geminiItem(
    // Each session begins by telling that its key was accepted.
    { Notification: "permission_prompt" },
    // It runs it by cmd, and spoils its quotes.
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
  // Under these names the payloads have the fields that Claude Code's have.
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
  // A failing hook before a tool forbids the tool: a program that is gone must not forbid them all.
  item: (command, event, powershell) => ({
    type: "command",
    bash: `${command} || true`,
    powershell: `${withNpmStarter(powershell)}; exit 0`,
    timeoutSec: event === "SessionEnd" ? endSeconds : shortSeconds,
  }),
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

const hookStyles = {
  "claude-code": claudeHooks,
  codex: codexHooks,
  "gemini-cli": geminiHooks,
  "qwen-code": qwenHooks,
  cursor: cursorHooks,
  "copilot-cli": copilotHooks,
  windsurf: windsurfHooks,
} as const;

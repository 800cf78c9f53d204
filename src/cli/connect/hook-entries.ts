import { type HookSettingsAgent, hookEvents } from "./hook-events.ts";
import { hookCommand, type Invocation, powershellCommand } from "./invocation.ts";

/*
 * The entries of the hooks for each agent, one per event (`hookEvents`), in the format of its settings. All hooks of an
 * agent run the same command; the payload tells which event it is.
 */

const shortSeconds = 10;
/** Without a daemon the hook itself does the work after a session's end, which takes longer. */
const endSeconds = 30;

/** Makes the entry in an event's list. */
type EntryMaker = (command: string, event: string, powershell: string) => object;

/** A group with only our hook, as Claude Code and compatible agents expect. */
const groupOfOne: EntryMaker = (command, event) => ({
  // Claude Code's default timeout for hooks at a session's end is 1.5 s.
  hooks: [{ type: "command", command, timeout: event === "SessionEnd" ? endSeconds : shortSeconds }],
});

interface WindowsCommand {
  readonly command: string;
  readonly shell?: "powershell";
}

/**
 * The format of Gemini CLI and Qwen Code; newer versions of the latter take timeouts too large for seconds as
 * milliseconds.
 */
function geminiEntry(
  matchers: Readonly<Record<string, string>>,
  onWindows: (command: string, powershell: string) => WindowsCommand,
): EntryMaker {
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
export function hooksOf(agent: HookSettingsAgent, invocation: Invocation): Readonly<Record<string, object>> {
  const entryOf = entryMakers[agent];
  const [command, powershell] = [hookCommand(agent, invocation), powershellCommand(agent, invocation)];
  return Object.fromEntries(hookEvents[agent].map((event) => [event, entryOf(command, event, powershell)]));
}

/** On Windows Codex runs hooks in PowerShell. The command for everybody stays for other systems. */
function codexOnWindows(command: string, powershell: string): { commandWindows?: string } {
  return process.platform === "win32" && powershell !== command ? { commandWindows: powershell } : {};
}

const entryMakers: Readonly<Record<HookSettingsAgent, EntryMaker>> = {
  "claude-code": groupOfOne,
  droid: groupOfOne,
  grok: groupOfOne,
  codex: (command, event, powershell) => ({
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
  "gemini-cli": geminiEntry(
    // The agent checks before every model request whether to compress, and would run the hook each time: only manual
    // compression is hooked.
    { PreCompress: "manual" },
    // On Windows the agent runs hooks in PowerShell only.
    (_command, powershell) => ({ command: powershell }),
  ),
  "qwen-code": geminiEntry(
    // Each session begins with a notification that the key was accepted, so only requests for permission are hooked.
    { Notification: "permission_prompt" },
    // On Windows the agent runs commands in cmd and breaks their quotes.
    (command, powershell) =>
      command.includes('"') ? { command: withNpmStarter(powershell), shell: "powershell" } : { command },
  ),
  cursor: (command, event) => ({ command, timeout: event === "sessionEnd" ? endSeconds : shortSeconds }),
  // A failing hook before a tool forbids the tool: a program that was removed must not block every tool.
  "copilot-cli": (command, event, powershell) => ({
    type: "command",
    bash: `${command} || true`,
    powershell: `${withNpmStarter(powershell)}; exit 0`,
    timeoutSec: event === "SessionEnd" ? endSeconds : shortSeconds,
  }),
  "kimi-code": (command, event) => ({
    event,
    command,
    timeout: event === "SessionEnd" ? endSeconds : shortSeconds,
  }),
  windsurf: (command) => ({ command, show_output: false }),
};

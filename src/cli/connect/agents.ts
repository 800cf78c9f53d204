import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Invocation } from "./invocation.ts";
import { hookCommand, serverWords } from "./invocation.ts";
import { jsonSettings } from "./json-settings.ts";
import { applicationData, folderFrom, type Places, xdgConfig } from "./places.ts";
import type { SettingsContent } from "./settings-content.ts";
import { tomlServer } from "./toml-settings.ts";

/*
 * Every agent that memsvc connects to: where its settings are, in which format, and what goes in. Hooks run
 * `memsvc observe --hook <agent>` for each kind of event that the agent has and memsvc tells apart.
 */

export type Scope = "user" | "project";

/** One settings file of an agent. */
export interface SettingsFile {
  readonly scope: Scope;
  readonly path: (places: Places) => string;
  readonly content: (invocation: Invocation) => SettingsContent;
  /** It is one of several homes of the agent: written where this folder exists. */
  readonly onlyIn?: (places: Places) => string;
}

export interface Agent {
  readonly name: string;
  readonly title: string;
  /** A folder that is there when the agent is installed. */
  readonly folder: (places: Places) => string;
  /** Started from a desktop, it does not know the search path of shells. */
  readonly isDesktop?: true;
  readonly files: readonly SettingsFile[];
  /** What the user has to do besides. */
  readonly afterwards?: string;
}

const shortSeconds = 10;
/** The work after a session's end is done in the hook where no daemon runs. */
const endSeconds = 30;

interface HookStyle {
  readonly events: readonly string[];
  /** The item of an event's list. */
  readonly item: (command: string, event: string) => object;
}

function hooksOf(agent: string, { events, item }: HookStyle, invocation: Invocation): Record<string, object> {
  const command = hookCommand(agent, invocation);
  return Object.fromEntries(events.map((event) => [event, item(command, event)]));
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
    "Stop",
    "SessionEnd",
  ],
  // Without a time of its own the hook of a session's end is given 1.5 s.
  item: (command, event) => ({
    hooks: [{ type: "command", command, timeout: event === "SessionEnd" ? endSeconds : shortSeconds }],
  }),
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
  item: (command, event) => ({
    hooks: [{ type: "command", command, timeout: event === "SessionEnd" ? 3 : shortSeconds }],
  }),
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
  item: (command, event) => ({
    hooks: [
      {
        name: "memsvc",
        type: "command",
        command,
        timeout: (event === "SessionEnd" ? endSeconds : shortSeconds) * 1000,
      },
    ],
  }),
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

/** The entry of an MCP server as most agents take it. */
function stdioEntry(invocation: Invocation): { command: string; args: string[] } {
  const [command = "", ...args] = serverWords(invocation);
  return { command, args };
}

function typedEntry(invocation: Invocation): Record<string, unknown> {
  return { type: "stdio", ...stdioEntry(invocation) };
}

function serverIn(
  section: string,
  entry: (invocation: Invocation) => Record<string, unknown>,
): (invocation: Invocation) => SettingsContent {
  return (invocation) => jsonSettings({ server: { path: [section, "memsvc"], entry: entry(invocation) } });
}

function hooksFile(
  agent: string,
  style: HookStyle,
  constants: Readonly<Record<string, unknown>> = {},
): (invocation: Invocation) => SettingsContent {
  return (invocation) => jsonSettings({ hooks: hooksOf(agent, style, invocation), constants });
}

const claudeFolder = (places: Places) => folderFrom(places, "CLAUDE_CONFIG_DIR", ".claude");
const codexFolder = (places: Places) => folderFrom(places, "CODEX_HOME", ".codex");
const codexServer = (invocation: Invocation) => tomlServer(["mcp_servers", "memsvc"], stdioEntry(invocation));
const geminiContent = (invocation: Invocation) =>
  jsonSettings({
    hooks: hooksOf("gemini-cli", geminiHooks, invocation),
    server: { path: ["mcpServers", "memsvc"], entry: stdioEntry(invocation) },
  });

export const agents: readonly Agent[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    folder: claudeFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(claudeFolder(places), "settings.json"),
        content: hooksFile("claude-code", claudeHooks),
      },
      {
        scope: "user",
        path: (places) => join(folderFrom(places, "CLAUDE_CONFIG_DIR"), ".claude.json"),
        content: serverIn("mcpServers", typedEntry),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".claude", "settings.json"),
        content: hooksFile("claude-code", claudeHooks),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".mcp.json"),
        content: serverIn("mcpServers", typedEntry),
      },
    ],
  },
  {
    name: "codex",
    title: "Codex",
    folder: codexFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(codexFolder(places), "hooks.json"),
        content: hooksFile("codex", codexHooks),
      },
      { scope: "user", path: (places) => join(codexFolder(places), "config.toml"), content: codexServer },
      {
        scope: "project",
        path: ({ project }) => join(project, ".codex", "hooks.json"),
        content: hooksFile("codex", codexHooks),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".codex", "config.toml"),
        content: codexServer,
      },
    ],
    afterwards: "Codex runs new hooks once you have trusted them: type /hooks in it",
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    folder: ({ home }) => join(home, ".gemini"),
    files: [
      {
        scope: "user",
        path: ({ home }) => join(home, ".gemini", "settings.json"),
        content: geminiContent,
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".gemini", "settings.json"),
        content: geminiContent,
      },
    ],
  },
  {
    name: "cursor",
    title: "Cursor",
    isDesktop: true,
    folder: ({ home }) => join(home, ".cursor"),
    files: (["user", "project"] as const).flatMap((scope) => {
      const folder = (places: Places) => join(scope === "user" ? places.home : places.project, ".cursor");
      return [
        {
          scope,
          path: (places: Places) => join(folder(places), "hooks.json"),
          content: hooksFile("cursor", cursorHooks, { version: 1 }),
        },
        {
          scope,
          path: (places: Places) => join(folder(places), "mcp.json"),
          content: serverIn("mcpServers", typedEntry),
        },
      ];
    }),
  },
  {
    name: "vscode",
    title: "VS Code",
    isDesktop: true,
    folder: (places) => join(applicationData(places), "Code", "User"),
    files: [
      {
        scope: "user",
        path: (places) => join(applicationData(places), "Code", "User", "mcp.json"),
        content: serverIn("servers", typedEntry),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".vscode", "mcp.json"),
        content: serverIn("servers", typedEntry),
      },
    ],
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    isDesktop: true,
    folder: (places) => join(applicationData(places), "Claude"),
    files: [
      {
        scope: "user",
        path: (places) => join(applicationData(places), "Claude", "claude_desktop_config.json"),
        content: serverIn("mcpServers", stdioEntry),
      },
    ],
    afterwards: "restart Claude Desktop",
  },
  {
    name: "windsurf",
    title: "Windsurf",
    isDesktop: true,
    folder: ({ home }) => join(home, ".codeium", "windsurf"),
    files: [
      {
        scope: "user",
        path: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
        content: serverIn("mcpServers", stdioEntry),
      },
    ],
  },
  {
    name: "zed",
    title: "Zed",
    isDesktop: true,
    folder: zedFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(zedFolder(places), "settings.json"),
        content: serverIn("context_servers", (invocation) => ({
          source: "custom",
          ...stdioEntry(invocation),
          env: {},
        })),
      },
    ],
  },
];

function zedFolder(places: Places): string {
  return places.platform === "win32" ? join(applicationData(places), "Zed") : join(xdgConfig(places), "zed");
}

export function isInstalled(agent: Agent, places: Places): boolean {
  return existsSync(agent.folder(places));
}

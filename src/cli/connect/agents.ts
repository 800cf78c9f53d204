import { existsSync } from "node:fs";
import { join } from "node:path";
import { hooksOf } from "./agent-hooks.ts";
import type { Invocation } from "./invocation.ts";
import { serverWords } from "./invocation.ts";
import { jsonSettings } from "./json-settings.ts";
import { openCodePlugin, pluginMark } from "./opencode-plugin.ts";
import { ownFile } from "./own-file.ts";
import { applicationData, folderFrom, type Places, xdgConfig } from "./places.ts";
import type { SettingsContent } from "./settings-content.ts";
import { tomlServer } from "./toml-settings.ts";

/*
 * Every agent that memsvc connects to: where its settings are, in which format, and what goes in.
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
  agent: Parameters<typeof hooksOf>[0],
  constants: Readonly<Record<string, unknown>> = {},
): (invocation: Invocation) => SettingsContent {
  return (invocation) => jsonSettings({ hooks: hooksOf(agent, invocation), constants });
}

const claudeFolder = (places: Places) => folderFrom(places, "CLAUDE_CONFIG_DIR", ".claude");
const codexFolder = (places: Places) => folderFrom(places, "CODEX_HOME", ".codex");
const codexServer = (invocation: Invocation) => tomlServer(["mcp_servers", "memsvc"], stdioEntry(invocation));
const geminiContent = (invocation: Invocation) =>
  jsonSettings({
    hooks: hooksOf("gemini-cli", invocation),
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
        content: hooksFile("claude-code"),
      },
      {
        scope: "user",
        path: (places) => join(folderFrom(places, "CLAUDE_CONFIG_DIR"), ".claude.json"),
        content: serverIn("mcpServers", typedEntry),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".claude", "settings.json"),
        content: hooksFile("claude-code"),
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
        content: hooksFile("codex"),
      },
      { scope: "user", path: (places) => join(codexFolder(places), "config.toml"), content: codexServer },
      {
        scope: "project",
        path: ({ project }) => join(project, ".codex", "hooks.json"),
        content: hooksFile("codex"),
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
          content: hooksFile("cursor", { version: 1 }),
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
    name: "opencode",
    title: "OpenCode",
    folder: openCodeFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(openCodeFolder(places), "plugins", "memsvc.js"),
        content: openCodeContent,
      },
      {
        scope: "user",
        path: (places) => eitherOf(openCodeFolder(places), "opencode.jsonc", "opencode.json"),
        content: serverIn("mcp", openCodeEntry),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".opencode", "plugins", "memsvc.js"),
        content: openCodeContent,
      },
      {
        scope: "project",
        path: ({ project }) => eitherOf(project, "opencode.jsonc", "opencode.json"),
        content: serverIn("mcp", openCodeEntry),
      },
    ],
  },
  {
    name: "copilot-cli",
    title: "GitHub Copilot CLI",
    folder: copilotFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(copilotFolder(places), "hooks", "memsvc.json"),
        content: hooksFile("copilot-cli", { version: 1 }),
      },
      {
        scope: "user",
        path: (places) => join(copilotFolder(places), "mcp-config.json"),
        content: serverIn("mcpServers", copilotEntry),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".github", "hooks", "memsvc.json"),
        content: hooksFile("copilot-cli", { version: 1 }),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".github", "mcp.json"),
        content: serverIn("mcpServers", copilotEntry),
      },
    ],
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
  {
    name: "cline",
    title: "Cline",
    isDesktop: true,
    folder: (places) => (existsSync(clineExtension(places)) ? clineExtension(places) : clineFolder(places)),
    files: [
      {
        scope: "user",
        path: (places) => join(clineExtension(places), "settings", "cline_mcp_settings.json"),
        content: serverIn("mcpServers", stdioEntry),
        onlyIn: clineExtension,
      },
      {
        scope: "user",
        path: (places) => join(clineFolder(places), "data", "settings", "cline_mcp_settings.json"),
        content: serverIn("mcpServers", stdioEntry),
        onlyIn: clineFolder,
      },
    ],
  },
];

function openCodeFolder(places: Places): string {
  return join(xdgConfig(places), "opencode");
}

/** As the first generation of OpenCode writes it; the second reads that, too. */
function openCodeEntry(invocation: Invocation): Record<string, unknown> {
  return { type: "local", command: serverWords(invocation), enabled: true };
}

function openCodeContent(invocation: Invocation): SettingsContent {
  return ownFile({
    label: "a plugin that does what hooks do",
    text: openCodePlugin(invocation),
    isOurs: (text) => text.startsWith(pluginMark),
  });
}

function copilotFolder(places: Places): string {
  return folderFrom(places, "COPILOT_HOME", ".copilot");
}

function copilotEntry(invocation: Invocation): Record<string, unknown> {
  return { type: "local", ...stdioEntry(invocation), tools: ["*"] };
}

/** Where the extension of VS Code keeps its files. */
function clineExtension(places: Places): string {
  return join(applicationData(places), "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
}

function clineFolder({ home }: Places): string {
  return join(home, ".cline");
}

/** The first of two names that is there, else the second. */
function eitherOf(folder: string, first: string, second: string): string {
  return existsSync(join(folder, first)) ? join(folder, first) : join(folder, second);
}

function zedFolder(places: Places): string {
  return places.platform === "win32" ? join(applicationData(places), "Zed") : join(xdgConfig(places), "zed");
}

export function isInstalled(agent: Agent, places: Places): boolean {
  return existsSync(agent.folder(places));
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Agent, Scope, SettingsFile } from "./agent.ts";
import { hooksOf } from "./agent-hooks.ts";
import { type Invocation, serverWords } from "./invocation.ts";
import { jsonSettings } from "./json-settings.ts";
import { openCodePlugin, type PluginAgent, pluginMark } from "./opencode-plugin.ts";
import { ownFile } from "./own-file.ts";
import { folderFrom, type Places, xdgConfig } from "./places.ts";
import { serverIn, stdioEntry, typedEntry } from "./server-entries.ts";
import type { SettingsContent } from "./settings-content.ts";
import { tomlServer } from "./toml-settings.ts";

/* Agents that report what they do: they get hooks, or a plugin instead, and the MCP server. */

function hooksFile(
  agent: Parameters<typeof hooksOf>[0],
  constants: Readonly<Record<string, unknown>> = {},
): (invocation: Invocation) => SettingsContent {
  return (invocation) => jsonSettings({ hooks: hooksOf(agent, invocation), constants });
}

const claudeFolder = (places: Places) => folderFrom(places, "CLAUDE_CONFIG_DIR", ".claude");
const codexFolder = (places: Places) => folderFrom(places, "CODEX_HOME", ".codex");
const codexServer = (invocation: Invocation) => tomlServer(["mcp_servers", "memsvc"], stdioEntry(invocation));
const geminiFolder = (places: Places) => join(folderFrom(places, "GEMINI_CLI_HOME"), ".gemini");
const qwenFolder = (places: Places) => folderFrom(places, "QWEN_HOME", ".qwen");

/** Hooks and the server in one file, as in Gemini CLI and its forks. */
function geminiContent(agent: Parameters<typeof hooksOf>[0]): (invocation: Invocation) => SettingsContent {
  return (invocation) =>
    jsonSettings({
      hooks: hooksOf(agent, invocation),
      server: { path: ["mcpServers", "memsvc"], entry: stdioEntry(invocation) },
    });
}

const openCodeNames = { file: "opencode.json", schema: "https://opencode.ai/config.json" };
const kiloNames = { file: "kilo.json", schema: "https://app.kilo.ai/config.json" };

export const hookedAgents: readonly Agent[] = [
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
    afterwards:
      "Codex runs new hooks once you have trusted them: it asks at its next start, and after /hooks; until then codex exec leaves them out and says nothing",
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    folder: geminiFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(geminiFolder(places), "settings.json"),
        content: geminiContent("gemini-cli"),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".gemini", "settings.json"),
        content: geminiContent("gemini-cli"),
      },
    ],
    afterwards: "Gemini CLI runs hooks and servers only in folders that you trust: say so when it asks",
  },
  {
    name: "qwen-code",
    title: "Qwen Code",
    folder: qwenFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(qwenFolder(places), "settings.json"),
        content: geminiContent("qwen-code"),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".qwen", "settings.json"),
        content: geminiContent("qwen-code"),
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
        content: pluginContent("opencode"),
      },
      ...openCodeFiles("user", openCodeFolder, openCodeNames),
      {
        scope: "project",
        path: ({ project }) => join(project, ".opencode", "plugins", "memsvc.js"),
        content: pluginContent("opencode"),
      },
      ...openCodeFiles("project", ({ project }) => project, openCodeNames),
    ],
  },
  {
    name: "kilo",
    title: "Kilo Code CLI",
    folder: kiloFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(kiloFolder(places), "plugins", "memsvc.js"),
        content: pluginContent("kilo"),
      },
      ...openCodeFiles("user", kiloFolder, kiloNames),
      {
        scope: "project",
        path: ({ project }) => join(project, ".kilo", "plugins", "memsvc.js"),
        content: pluginContent("kilo"),
      },
      ...openCodeFiles("project", ({ project }) => project, kiloNames),
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
    name: "windsurf",
    title: "Windsurf",
    isDesktop: true,
    folder: windsurfFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(windsurfFolder(places), "hooks.json"),
        content: hooksFile("windsurf"),
      },
      {
        scope: "user",
        path: (places) => join(windsurfFolder(places), "mcp_config.json"),
        content: serverIn("mcpServers", stdioEntry),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".windsurf", "hooks.json"),
        content: hooksFile("windsurf"),
      },
    ],
  },
];

function windsurfFolder({ home }: Places): string {
  return join(home, ".codeium", "windsurf");
}

function openCodeFolder(places: Places): string {
  return join(xdgConfig(places), "opencode");
}

function kiloFolder(places: Places): string {
  return join(xdgConfig(places), "kilo");
}

/** The format of OpenCode 1, which OpenCode 2 also reads. */
function openCodeEntry(invocation: Invocation): Record<string, unknown> {
  return { type: "local", command: serverWords(invocation), enabled: true };
}

function pluginContent(agent: PluginAgent): (invocation: Invocation) => SettingsContent {
  return (invocation) =>
    ownFile({
      label: "a plugin that does what hooks do",
      text: openCodePlugin(agent, invocation),
      isOurs: (text) => text.startsWith(pluginMark(agent)),
    });
}

function copilotFolder(places: Places): string {
  return folderFrom(places, "COPILOT_HOME", ".copilot");
}

function copilotEntry(invocation: Invocation): Record<string, unknown> {
  return { type: "local", ...stdioEntry(invocation), tools: ["*"] };
}

/** OpenCode reads both names: the file with comments (.jsonc) is written if it exists, otherwise the .json file. */
function openCodeFiles(
  scope: Scope,
  folder: (places: Places) => string,
  { file, schema }: typeof openCodeNames,
): SettingsFile[] {
  // OpenCode adds $schema to files that lack it, and a file that it has changed could not be restored exactly.
  const content = serverIn("mcp", openCodeEntry, { $schema: schema });
  const plain = (places: Places) => join(folder(places), file);
  const commented = (places: Places) => `${plain(places)}c`;
  const isCommented = (places: Places) => existsSync(commented(places));
  return [
    { scope, path: plain, content, isChosen: (places) => !isCommented(places) },
    { scope, path: commented, content, isChosen: isCommented },
  ];
}

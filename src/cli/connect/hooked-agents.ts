import { join } from "node:path";
import { folderFrom } from "../../paths/application-data.ts";
import { type Agent, inBothScopes, inProject, type SettingsFile, settingsFile } from "./agent.ts";
import { cline } from "./cline-agent.ts";
import { droid } from "./droid-agent.ts";
import { hooksOf } from "./hook-entries.ts";
import type { Invocation } from "./invocation.ts";
import { jsonSettings } from "./json-settings.ts";
import { openCodeAgents } from "./opencode-agents.ts";
import { pi } from "./pi-agent.ts";
import type { Places } from "./places.ts";
import { serverIn, stdioEntry, typedEntry } from "./server-entries.ts";
import { tomlHooks } from "./toml-hooks.ts";
import { tomlServer } from "./toml-settings.ts";

/* Agents that report what they do: they get hooks, or a plugin instead, and the MCP server. */

function hooksFile(
  agent: Parameters<typeof hooksOf>[0],
  constants: Readonly<Record<string, unknown>> = {},
): SettingsFile["content"] {
  return (invocation) => jsonSettings({ hooks: hooksOf(agent, invocation), constants });
}

const claudeFolder = (places: Places) => folderFrom(places, "CLAUDE_CONFIG_DIR", ".claude");
const codexFolder = (places: Places) => folderFrom(places, "CODEX_HOME", ".codex");
/** In the form of Codex, which Grok Build reads, too. */
const codexServer = (invocation: Invocation) => tomlServer(["mcp_servers", "memsvc"], stdioEntry(invocation));
const geminiFolder = (places: Places) => join(folderFrom(places, "GEMINI_CLI_HOME"), ".gemini");
const qwenFolder = (places: Places) => folderFrom(places, "QWEN_HOME", ".qwen");
const cursorFolder = ({ home }: Places) => join(home, ".cursor");
const copilotFolder = (places: Places) => folderFrom(places, "COPILOT_HOME", ".copilot");
const kimiFolder = (places: Places) => folderFrom(places, "KIMI_CODE_HOME", ".kimi-code");
const grokFolder = (places: Places) => folderFrom(places, "GROK_HOME", ".grok");
const windsurfFolder = ({ home }: Places) => join(home, ".codeium", "windsurf");

/** Hooks and the server in one file, as in Gemini CLI and its forks. */
function geminiContent(agent: Parameters<typeof hooksOf>[0]): SettingsFile["content"] {
  return (invocation) =>
    jsonSettings({
      hooks: hooksOf(agent, invocation),
      server: { path: ["mcpServers", "memsvc"], entry: stdioEntry(invocation) },
    });
}

export const hookedAgents: readonly Agent[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    folder: claudeFolder,
    files: [
      settingsFile("user", claudeFolder, "settings.json", hooksFile("claude-code")),
      settingsFile(
        "user",
        (places) => folderFrom(places, "CLAUDE_CONFIG_DIR"),
        ".claude.json",
        serverIn("mcpServers", typedEntry),
      ),
      settingsFile("project", inProject(".claude"), "settings.json", hooksFile("claude-code")),
      settingsFile("project", inProject(), ".mcp.json", serverIn("mcpServers", typedEntry)),
    ],
  },
  {
    name: "codex",
    title: "Codex",
    folder: codexFolder,
    files: inBothScopes(codexFolder, ".codex", [
      ["hooks.json", hooksFile("codex")],
      ["config.toml", codexServer],
    ]),
    afterwards:
      "Codex runs new hooks once you have trusted them: it asks at its next start, and after /hooks; until then codex exec leaves them out and says nothing",
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    folder: geminiFolder,
    files: inBothScopes(geminiFolder, ".gemini", [["settings.json", geminiContent("gemini-cli")]]),
    afterwards: "Gemini CLI runs hooks and servers only in folders that you trust: say so when it asks",
  },
  {
    name: "qwen-code",
    title: "Qwen Code",
    folder: qwenFolder,
    files: inBothScopes(qwenFolder, ".qwen", [["settings.json", geminiContent("qwen-code")]]),
  },
  {
    name: "cursor",
    title: "Cursor",
    isDesktop: true,
    folder: cursorFolder,
    files: inBothScopes(cursorFolder, ".cursor", [
      ["hooks.json", hooksFile("cursor", { version: 1 })],
      ["mcp.json", serverIn("mcpServers", typedEntry)],
    ]),
  },
  ...openCodeAgents,
  cline,
  pi,
  {
    name: "copilot-cli",
    title: "GitHub Copilot CLI",
    folder: copilotFolder,
    files: [
      settingsFile("user", copilotFolder, "hooks/memsvc.json", hooksFile("copilot-cli", { version: 1 })),
      settingsFile("user", copilotFolder, "mcp-config.json", serverIn("mcpServers", copilotEntry)),
      settingsFile(
        "project",
        inProject(".github"),
        "hooks/memsvc.json",
        hooksFile("copilot-cli", { version: 1 }),
      ),
      settingsFile("project", inProject(".github"), "mcp.json", serverIn("mcpServers", copilotEntry)),
    ],
  },
  {
    name: "kimi-code",
    title: "Kimi Code",
    folder: kimiFolder,
    files: [
      settingsFile("user", kimiFolder, "config.toml", (invocation) =>
        tomlHooks(Object.values(hooksOf("kimi-code", invocation))),
      ),
      settingsFile("user", kimiFolder, "mcp.json", serverIn("mcpServers", stdioEntry)),
      settingsFile("project", inProject(".kimi-code"), "mcp.json", serverIn("mcpServers", stdioEntry)),
    ],
  },
  droid,
  {
    name: "grok",
    title: "Grok Build",
    folder: grokFolder,
    files: inBothScopes(grokFolder, ".grok", [
      ["hooks/memsvc.json", hooksFile("grok")],
      ["config.toml", codexServer],
    ]),
    afterwards: "Grok Build runs a project's own hooks and servers once you have trusted it: /hooks-trust",
  },
  {
    name: "windsurf",
    title: "Windsurf",
    isDesktop: true,
    folder: windsurfFolder,
    files: [
      settingsFile("user", windsurfFolder, "hooks.json", hooksFile("windsurf")),
      settingsFile("user", windsurfFolder, "mcp_config.json", serverIn("mcpServers", stdioEntry)),
      settingsFile("project", inProject(".windsurf"), "hooks.json", hooksFile("windsurf")),
    ],
  },
];

function copilotEntry(invocation: Invocation): Record<string, unknown> {
  return { type: "local", ...stdioEntry(invocation), tools: ["*"] };
}

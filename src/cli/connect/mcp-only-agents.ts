import { existsSync } from "node:fs";
import { join } from "node:path";
import { applicationData, folderFrom, xdgConfig } from "../../paths/application-data.ts";
import {
  type Agent,
  eitherFile,
  inBothScopes,
  inProject,
  type Scope,
  type SettingsFile,
  settingsFile,
} from "./agent.ts";
import type { Invocation } from "./invocation.ts";
import { codeFolder, type Places } from "./places.ts";
import { serverIn, stdioEntry, typedEntry } from "./server-entries.ts";

/* Agents without hooks, or whose hooks have not been tested: they get the MCP server and use its tools. */

export const mcpOnlyAgents: readonly Agent[] = [
  {
    name: "vscode",
    title: "VS Code",
    isDesktop: true,
    folder: codeFolder,
    files: inBothScopes(codeFolder, ".vscode", [["mcp.json", serverIn("servers", typedEntry)]]),
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    isDesktop: true,
    folder: claudeFolder,
    files: [
      settingsFile("user", claudeFolder, "claude_desktop_config.json", serverIn("mcpServers", stdioEntry)),
    ],
    afterwards: "restart Claude Desktop",
  },
  {
    name: "zed",
    title: "Zed",
    isDesktop: true,
    folder: zedFolder,
    files: [settingsFile("user", zedFolder, "settings.json", serverIn("context_servers", zedEntry))],
  },
  {
    name: "amp",
    title: "Amp",
    folder: ampFolder,
    files: [...ampFiles("user", ampFolder), ...ampFiles("project", inProject(".amp"))],
  },
  {
    name: "kiro",
    title: "Kiro",
    isDesktop: true,
    folder: inHome(".kiro"),
    files: inBothScopes(inHome(".kiro"), ".kiro", [
      ["settings/mcp.json", serverIn("mcpServers", stdioEntry)],
    ]),
  },
  {
    name: "antigravity",
    title: "Antigravity",
    folder: antigravityFolder,
    files: inBothScopes(antigravityFolder, ".agents", [
      ["mcp_config.json", serverIn("mcpServers", stdioEntry)],
    ]),
  },
  {
    name: "junie",
    title: "Junie",
    folder: inHome(".junie"),
    files: inBothScopes(inHome(".junie"), ".junie", [["mcp/mcp.json", serverIn("mcpServers", stdioEntry)]]),
  },
  {
    name: "auggie",
    title: "Auggie",
    folder: inHome(".augment"),
    files: [settingsFile("user", inHome(".augment"), "settings.json", serverIn("mcpServers", auggieEntry))],
  },
  {
    name: "crush",
    title: "Crush",
    folder: crushFolder,
    files: inBothScopes(crushFolder, "", [["crush.json", serverIn("mcp", typedEntry)]]),
  },
  {
    name: "qoder",
    title: "Qoder CLI",
    folder: inHome(".qoder"),
    files: [settingsFile("user", inHome(".qoder"), "settings.json", serverIn("mcpServers", stdioEntry))],
  },
  {
    name: "mastracode",
    title: "Mastra Code",
    folder: inHome(".mastracode"),
    files: inBothScopes(inHome(".mastracode"), ".mastracode", [
      ["mcp.json", serverIn("mcpServers", stdioEntry)],
    ]),
  },
  {
    name: "warp",
    title: "Warp",
    isDesktop: true,
    folder: warpFolder,
    files: inBothScopes(inHome(".warp"), ".warp", [[".mcp.json", serverIn("mcpServers", stdioEntry)]]),
    afterwards: "Warp starts a project's own servers only when you start them in its settings",
  },
  {
    name: "lm-studio",
    title: "LM Studio",
    isDesktop: true,
    folder: inHome(".lmstudio"),
    files: [settingsFile("user", inHome(".lmstudio"), "mcp.json", serverIn("mcpServers", stdioEntry))],
  },
  {
    name: "rovo-dev",
    title: "Rovo Dev CLI",
    folder: inHome(".rovodev"),
    files: [settingsFile("user", inHome(".rovodev"), "mcp.json", serverIn("mcpServers", rovoEntry))],
  },
  {
    name: "openhands",
    title: "OpenHands CLI",
    folder: openHandsFolder,
    files: [settingsFile("user", openHandsFolder, "mcp.json", serverIn("mcpServers", stdioEntry))],
  },
];

/** A folder in the user's home. */
function inHome(name: string): (places: Places) => string {
  return ({ home }) => join(home, name);
}

function claudeFolder(places: Places): string {
  return join(applicationData(places), "Claude");
}

function ampFolder(places: Places): string {
  return join(xdgConfig(places), "amp");
}

/** Amp reads the file with comments (.jsonc) only if the other is missing. */
function ampFiles(scope: Scope, folder: (places: Places) => string): SettingsFile[] {
  const content = serverIn("amp.mcpServers", stdioEntry);
  const plain = settingsFile(scope, folder, "settings.json", content);
  const commented = settingsFile(scope, folder, "settings.jsonc", content);
  return eitherFile(
    plain,
    commented,
    (places) => existsSync(commented.path(places)) && !existsSync(plain.path(places)),
  );
}

/** That of its command line and of its desktop program, below the folder that they share with Gemini CLI. */
function antigravityFolder({ home }: Places): string {
  return join(home, ".gemini", "config");
}

function crushFolder(places: Places): string {
  return folderFrom({ ...places, home: xdgConfig(places) }, "CRUSH_GLOBAL_CONFIG", "crush");
}

/** On Linux only what concerns MCP servers is in `.warp`. */
function warpFolder(places: Places): string {
  return places.platform === "linux" ? join(xdgConfig(places), "warp-terminal") : inHome(".warp")(places);
}

function openHandsFolder(places: Places): string {
  return folderFrom(places, "OPENHANDS_PERSISTENCE_DIR", ".openhands");
}

function rovoEntry(invocation: Invocation): Record<string, unknown> {
  return { ...stdioEntry(invocation), transport: "stdio" };
}

/** In the format of the agent's own `mcp add`. */
function auggieEntry(invocation: Invocation): Record<string, unknown> {
  return { ...typedEntry(invocation), env: {} };
}

/** Without `source`, which older versions of Zed required and newer ones ask to remove. */
function zedEntry(invocation: Invocation): Record<string, unknown> {
  return { ...stdioEntry(invocation), env: {} };
}

/** On macOS Zed ignores XDG_CONFIG_HOME. */
function zedFolder(places: Places): string {
  if (places.platform === "win32") return join(applicationData(places), "Zed");
  return places.platform === "darwin" ? join(places.home, ".config", "zed") : join(xdgConfig(places), "zed");
}

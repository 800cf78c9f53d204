import { existsSync } from "node:fs";
import { join } from "node:path";
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
import { applicationData, codeFolder, folderFrom, type Places, xdgConfig } from "./places.ts";
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
    folder: kiroFolder,
    files: inBothScopes(kiroFolder, ".kiro", [["settings/mcp.json", serverIn("mcpServers", stdioEntry)]]),
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
    folder: junieFolder,
    files: inBothScopes(junieFolder, ".junie", [["mcp/mcp.json", serverIn("mcpServers", stdioEntry)]]),
  },
  {
    name: "auggie",
    title: "Auggie",
    folder: auggieFolder,
    files: [settingsFile("user", auggieFolder, "settings.json", serverIn("mcpServers", auggieEntry))],
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
    folder: qoderFolder,
    files: [settingsFile("user", qoderFolder, "settings.json", serverIn("mcpServers", stdioEntry))],
  },
  {
    name: "mastracode",
    title: "Mastra Code",
    folder: mastraFolder,
    files: inBothScopes(mastraFolder, ".mastracode", [["mcp.json", serverIn("mcpServers", stdioEntry)]]),
  },
];

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

function kiroFolder({ home }: Places): string {
  return join(home, ".kiro");
}

/** That of its command line and of its desktop program, below the folder that they share with Gemini CLI. */
function antigravityFolder({ home }: Places): string {
  return join(home, ".gemini", "config");
}

function junieFolder({ home }: Places): string {
  return join(home, ".junie");
}

function auggieFolder({ home }: Places): string {
  return join(home, ".augment");
}

function crushFolder(places: Places): string {
  return folderFrom({ ...places, home: xdgConfig(places) }, "CRUSH_GLOBAL_CONFIG", "crush");
}

function qoderFolder({ home }: Places): string {
  return join(home, ".qoder");
}

function mastraFolder({ home }: Places): string {
  return join(home, ".mastracode");
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

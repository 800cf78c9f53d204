import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Agent, Scope, SettingsFile } from "./agent.ts";
import { applicationData, type Places, xdgConfig } from "./places.ts";
import { serverIn, stdioEntry, typedEntry } from "./server-entries.ts";

/* Agents without hooks, or whose hooks have not been tested: they get the MCP server and use its tools. */

export const mcpOnlyAgents: readonly Agent[] = [
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
    name: "zed",
    title: "Zed",
    isDesktop: true,
    folder: zedFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(zedFolder(places), "settings.json"),
        // Without `source`, which older versions of Zed required and newer ones ask to remove.
        content: serverIn("context_servers", (invocation) => ({ ...stdioEntry(invocation), env: {} })),
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
        isChosen: (places) => existsSync(clineExtension(places)),
      },
      {
        scope: "user",
        path: (places) => join(clineFolder(places), "data", "settings", "cline_mcp_settings.json"),
        content: serverIn("mcpServers", stdioEntry),
        isChosen: (places) => existsSync(clineFolder(places)),
      },
    ],
  },
  {
    name: "amp",
    title: "Amp",
    folder: ampFolder,
    files: [...ampFiles("user", ampFolder), ...ampFiles("project", ({ project }) => join(project, ".amp"))],
  },
  {
    name: "droid",
    title: "Factory Droid",
    folder: droidFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(droidFolder(places), "mcp.json"),
        content: serverIn("mcpServers", typedEntry),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".factory", "mcp.json"),
        content: serverIn("mcpServers", typedEntry),
      },
    ],
  },
  {
    name: "kiro",
    title: "Kiro",
    isDesktop: true,
    folder: kiroFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(kiroFolder(places), "settings", "mcp.json"),
        content: serverIn("mcpServers", stdioEntry),
      },
      {
        scope: "project",
        path: ({ project }) => join(project, ".kiro", "settings", "mcp.json"),
        content: serverIn("mcpServers", stdioEntry),
      },
    ],
  },
  {
    name: "auggie",
    title: "Auggie",
    folder: auggieFolder,
    files: [
      {
        scope: "user",
        path: (places) => join(auggieFolder(places), "settings.json"),
        // In the format of the agent's own `mcp add`.
        content: serverIn("mcpServers", (invocation) => ({ ...typedEntry(invocation), env: {} })),
      },
    ],
  },
];

function ampFolder(places: Places): string {
  return join(xdgConfig(places), "amp");
}

/** Amp reads the file with comments (.jsonc) only if the other is missing. */
function ampFiles(scope: Scope, folder: (places: Places) => string): SettingsFile[] {
  const content = serverIn("amp.mcpServers", stdioEntry);
  const plain = (places: Places) => join(folder(places), "settings.json");
  const commented = (places: Places) => `${plain(places)}c`;
  const isCommented = (places: Places) => existsSync(commented(places)) && !existsSync(plain(places));
  return [
    { scope, path: plain, content, isChosen: (places) => !isCommented(places) },
    { scope, path: commented, content, isChosen: isCommented },
  ];
}

function droidFolder({ home }: Places): string {
  return join(home, ".factory");
}

function kiroFolder({ home }: Places): string {
  return join(home, ".kiro");
}

function auggieFolder({ home }: Places): string {
  return join(home, ".augment");
}

/** The folder of the VS Code extension. */
function clineExtension(places: Places): string {
  return join(applicationData(places), "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
}

function clineFolder({ home }: Places): string {
  return join(home, ".cline");
}

/** On macOS Zed ignores XDG_CONFIG_HOME. */
function zedFolder(places: Places): string {
  if (places.platform === "win32") return join(applicationData(places), "Zed");
  return places.platform === "darwin" ? join(places.home, ".config", "zed") : join(xdgConfig(places), "zed");
}

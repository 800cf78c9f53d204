import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Agent, Scope, SettingsFile } from "./agent.ts";
import { type Invocation, serverWords } from "./invocation.ts";
import { openCodePlugin, type PluginAgent, pluginMark } from "./opencode-plugin.ts";
import { ownFile } from "./own-file.ts";
import { type Places, xdgConfig } from "./places.ts";
import { serverIn } from "./server-entries.ts";
import type { SettingsContent } from "./settings-content.ts";

/* OpenCode and its fork: they get a plugin instead of hooks, and the MCP server. */

const openCodeNames = { file: "opencode.json", schema: "https://opencode.ai/config.json" };
const kiloNames = { file: "kilo.json", schema: "https://app.kilo.ai/config.json" };

export const openCodeAgents: readonly Agent[] = [
  {
    name: "opencode",
    title: "OpenCode",
    folder: openCodeFolder,
    files: [
      pluginFile("opencode", "user", openCodeFolder),
      ...serverFiles("user", openCodeFolder, openCodeNames),
      pluginFile("opencode", "project", ({ project }) => join(project, ".opencode")),
      ...serverFiles("project", ({ project }) => project, openCodeNames),
    ],
  },
  {
    name: "kilo",
    title: "Kilo Code CLI",
    folder: kiloFolder,
    files: [
      pluginFile("kilo", "user", kiloFolder),
      ...serverFiles("user", kiloFolder, kiloNames),
      pluginFile("kilo", "project", ({ project }) => join(project, ".kilo")),
      ...serverFiles("project", ({ project }) => project, kiloNames),
    ],
  },
];

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

function pluginFile(agent: PluginAgent, scope: Scope, folder: (places: Places) => string): SettingsFile {
  return {
    scope,
    path: (places) => join(folder(places), "plugins", "memsvc.js"),
    content: pluginContent(agent),
  };
}

function pluginContent(agent: PluginAgent): (invocation: Invocation) => SettingsContent {
  return (invocation) =>
    ownFile({
      label: "a plugin that does what hooks do",
      text: openCodePlugin(agent, invocation),
      isOurs: (text) => text.startsWith(pluginMark(agent)),
    });
}

/** OpenCode reads both names: the file with comments (.jsonc) is written if it exists, otherwise the .json file. */
function serverFiles(
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

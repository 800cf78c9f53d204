import { existsSync } from "node:fs";
import { join } from "node:path";
import { xdgConfig } from "../../paths/application-data.ts";
import { type Agent, eitherFile, inProject, type Scope, type SettingsFile, settingsFile } from "./agent.ts";
import { pluginContent } from "./agent-plugin.ts";
import { type Invocation, serverWords } from "./invocation.ts";
import { openCodePlugin } from "./opencode-plugin.ts";
import type { Places } from "./places.ts";
import { serverIn } from "./server-entries.ts";

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
      pluginFile("opencode", "project", inProject(".opencode")),
      ...serverFiles("project", inProject(), openCodeNames),
    ],
  },
  {
    name: "kilo",
    title: "Kilo Code CLI",
    folder: kiloFolder,
    files: [
      pluginFile("kilo", "user", kiloFolder),
      ...serverFiles("user", kiloFolder, kiloNames),
      pluginFile("kilo", "project", inProject(".kilo")),
      ...serverFiles("project", inProject(), kiloNames),
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

function pluginFile(
  agent: Parameters<typeof openCodePlugin>[0],
  scope: Scope,
  folder: (places: Places) => string,
): SettingsFile {
  const content = pluginContent(agent, (invocation) => openCodePlugin(agent, invocation));
  return settingsFile(scope, folder, "plugins/memsvc.js", content);
}

/** OpenCode reads both names: the file with comments (.jsonc) is written if it exists, otherwise the .json file. */
function serverFiles(
  scope: Scope,
  folder: (places: Places) => string,
  { file, schema }: typeof openCodeNames,
): SettingsFile[] {
  // OpenCode adds $schema to files that lack it, and a file that it has changed could not be restored exactly.
  const content = serverIn("mcp", openCodeEntry, { $schema: schema });
  const plain = settingsFile(scope, folder, file, content);
  const commented = settingsFile(scope, folder, `${file}c`, content);
  return eitherFile(plain, commented, (places) => existsSync(commented.path(places)));
}

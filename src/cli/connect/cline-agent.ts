import { existsSync } from "node:fs";
import { join } from "node:path";
import { folderFrom } from "../../paths/application-data.ts";
import { type Agent, inProject, type SettingsFile, settingsFile } from "./agent.ts";
import { pluginContent } from "./agent-plugin.ts";
import { clinePlugin } from "./cline-plugin.ts";
import { codeFolder, type Places } from "./places.ts";
import { serverIn, stdioEntry } from "./server-entries.ts";

/*
 * The program and the VS Code extension have separate folders. Only the program loads plugins. Its hook files do not get
 * the user's prompt.
 */

const pluginName = "plugins/memsvc.js";
const plugin = pluginContent("cline", clinePlugin);
const server = serverIn("mcpServers", stdioEntry);

export const cline: Agent = {
  name: "cline",
  title: "Cline",
  isDesktop: true,
  folder: (places) => (hasExtension(places) ? extensionFolder(places) : clineFolder(places)),
  files: [
    {
      ...settingsFile("user", extensionFolder, "settings/cline_mcp_settings.json", server),
      isChosen: hasExtension,
    },
    ofProgram(settingsFile("user", clineFolder, pluginName, plugin)),
    ofProgram(settingsFile("user", clineFolder, "data/settings/cline_mcp_settings.json", server)),
    settingsFile("project", inProject(".cline"), pluginName, plugin),
  ],
};

/** A file that is left out if only the extension is installed. */
function ofProgram(file: SettingsFile): SettingsFile {
  return { ...file, isChosen: (places) => existsSync(clineFolder(places)) || !hasExtension(places) };
}

function hasExtension(places: Places): boolean {
  return existsSync(extensionFolder(places));
}

function extensionFolder(places: Places): string {
  return join(codeFolder(places), "globalStorage", "saoudrizwan.claude-dev");
}

function clineFolder(places: Places): string {
  return folderFrom(places, "CLINE_DIR", ".cline");
}

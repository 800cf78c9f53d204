import { folderFrom } from "../../paths/application-data.ts";
import { type Agent, inProject, settingsFile } from "./agent.ts";
import { pluginContent } from "./agent-plugin.ts";
import { piPlugin } from "./pi-plugin.ts";
import type { Places } from "./places.ts";
import { serverIn, stdioEntry } from "./server-entries.ts";

const pluginName = "extensions/memsvc.js";
const plugin = pluginContent("pi", piPlugin);
const server = serverIn("mcpServers", stdioEntry);
const piFolder = (places: Places) => folderFrom(places, "PI_CODING_AGENT_DIR", ".pi", "agent");

export const pi: Agent = {
  name: "pi",
  title: "Pi",
  folder: piFolder,
  files: [
    settingsFile("user", piFolder, pluginName, plugin),
    settingsFile("user", piFolder, "mcp.json", server),
    settingsFile("project", inProject(".pi"), pluginName, plugin),
    settingsFile("project", inProject(".pi"), "mcp.json", server),
  ],
};

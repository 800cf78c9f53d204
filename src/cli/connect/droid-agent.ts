import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Agent, inProject, type Scope, type SettingsFile, settingsFile } from "./agent.ts";
import { hooksOf } from "./hook-entries.ts";
import { jsonSettings } from "./json-settings.ts";
import type { Places } from "./places.ts";
import { serverIn, typedEntry } from "./server-entries.ts";

export const droid: Agent = {
  name: "droid",
  title: "Factory Droid",
  folder: userFolder,
  files: [...droidFiles("user", userFolder), ...droidFiles("project", inProject(".factory"))],
};

function userFolder({ home }: Places): string {
  return join(home, ".factory");
}

function droidFiles(scope: Scope, folder: (places: Places) => string): SettingsFile[] {
  return [
    ...hookFiles(scope, folder),
    settingsFile(scope, folder, "mcp.json", serverIn("mcpServers", typedEntry)),
  ];
}

/**
 * Droid reads hooks from its settings, and from the first of two files that have nothing else. What such a file lists
 * for an event replaces what the settings list for it, so the hooks are in such a file if there is one.
 */
function hookFiles(scope: Scope, folder: (places: Places) => string): SettingsFile[] {
  const apart = ["hooks.json", "hooks/hooks.json"].map((name) =>
    settingsFile(scope, folder, name, (invocation) =>
      jsonSettings({ hooks: hooksOf("droid", invocation), hooksAt: [] }),
    ),
  );
  const inSettings = settingsFile(scope, folder, "settings.json", (invocation) =>
    jsonSettings({ hooks: hooksOf("droid", invocation) }),
  );
  const read = (places: Places) => apart.find((file) => existsSync(file.path(places))) ?? inSettings;
  return [...apart, inSettings].map((file) => {
    const chosen: SettingsFile = { ...file, isChosen: (places) => read(places) === file };
    return chosen;
  });
}

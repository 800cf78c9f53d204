import { type Invocation, serverWords } from "./invocation.ts";
import { jsonSettings } from "./json-settings.ts";
import type { SettingsContent } from "./settings-content.ts";

/** The entry of an MCP server as most agents take it. */
export function stdioEntry(invocation: Invocation): { command: string; args: string[] } {
  const [command = "", ...args] = serverWords(invocation);
  return { command, args };
}

export function typedEntry(invocation: Invocation): Record<string, unknown> {
  return { type: "stdio", ...stdioEntry(invocation) };
}

/** Content of a file with the entry in a section, by server name, and with the constants that its agent wants in it. */
export function serverIn(
  section: string,
  entry: (invocation: Invocation) => Record<string, unknown>,
  constants: Readonly<Record<string, unknown>> = {},
): (invocation: Invocation) => SettingsContent {
  return (invocation) =>
    jsonSettings({ server: { path: [section, "memsvc"], entry: entry(invocation) }, constants });
}

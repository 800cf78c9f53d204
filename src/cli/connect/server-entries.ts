import { type Invocation, serverWords } from "./invocation.ts";
import { jsonSettings } from "./json-settings.ts";
import type { SettingsContent } from "./settings-content.ts";

/** The entry of an MCP server in the most common format. */
export function stdioEntry(invocation: Invocation): { command: string; args: string[] } {
  const [command = "", ...args] = serverWords(invocation);
  return { command, args };
}

export function typedEntry(invocation: Invocation): Record<string, unknown> {
  return { type: "stdio", ...stdioEntry(invocation) };
}

/** The content of a file with the server's entry in a section, and with fields that the agent expects. */
export function serverIn(
  section: string,
  entry: (invocation: Invocation) => Record<string, unknown>,
  constants: Readonly<Record<string, unknown>> = {},
): (invocation: Invocation) => SettingsContent {
  return (invocation) =>
    jsonSettings({ server: { path: [section, "memsvc"], entry: entry(invocation) }, constants });
}

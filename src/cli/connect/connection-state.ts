import { readFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isMemsvcError } from "../../operation/errors.ts";
import type { Agent, Scope, SettingsFile } from "./agent.ts";
import { agents } from "./agents.ts";
import { isThere } from "./on-path.ts";
import { programsOf } from "./parse-command.ts";
import type { Places } from "./places.ts";
import type { SettingsContent } from "./settings-content.ts";

/** A settings file that contains entries of ours. */
interface ConnectedFile {
  readonly agent: Agent;
  readonly scope: Scope;
  readonly path: string;
  readonly text: string;
  readonly content: SettingsContent;
}

/** The scopes in which an agent is connected. */
export function connectedScopes(agent: Agent, places: Places): Scope[] {
  return [...new Set(connectedFiles(agent, places).map(({ scope }) => scope))];
}

/** A program that an entry starts, or the script that it runs. */
export interface StartedProgram extends Pick<ConnectedFile, "agent" | "scope" | "path"> {
  readonly program: string;
}

/**
 * Entries whose program no longer exists, for example after an update of Node. Those of a project name it for everybody
 * who works on it, so it may be missing here.
 */
export function brokenConnections(places: Places): StartedProgram[] {
  return startedPrograms(places).filter(
    ({ scope, program }) => !isThere(program, places) && (scope === "user" || isAbsolute(program)),
  );
}

export function startedPrograms(places: Places): StartedProgram[] {
  return agents.flatMap((agent) =>
    connectedFiles(agent, places).flatMap(({ scope, path, text, content }) =>
      programsOf(content.commands(text)).map((program) => ({ agent, scope, path, program })),
    ),
  );
}

function connectedFiles(agent: Agent, places: Places): ConnectedFile[] {
  const seen = new Set<string>();
  return agent.files.flatMap((file) => {
    const path = file.path(places);
    // If the project is the user's home, both scopes have the same file.
    if (seen.has(path)) return [];
    seen.add(path);
    const text = textWithOurs(file, places);
    return text === undefined ? [] : [{ agent, scope: file.scope, path, text, content: contentOf(file) }];
  });
}

/** Whether a settings file contains entries of ours. */
export function holdsOurs(file: SettingsFile, places: Places): boolean {
  return textWithOurs(file, places) !== undefined;
}

function textWithOurs(file: SettingsFile, places: Places): string | undefined {
  const text = settingsTextAt(file.path(places));
  return text !== undefined && holds(contentOf(file), text) ? text : undefined;
}

/** Only used to recognise entries, which does not depend on how this program would be started. */
function contentOf(file: SettingsFile): SettingsContent {
  return file.content({ program: ["memsvc"], flags: [] });
}

/** The text of an agent's settings file; undefined if there is none that can be read. */
export function settingsTextAt(path: string): string | undefined {
  try {
    // A pipe connects nothing, and must not keep this waiting.
    return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch {
    // Most agents are not installed, or have no such file yet.
    return undefined;
  }
}

function holds(content: SettingsContent, text: string): boolean {
  try {
    return content.holds(text);
  } catch (error) {
    // A file that cannot be parsed connects nothing: its agent cannot read it either.
    if (isMemsvcError(error)) return false;
    throw error;
  }
}

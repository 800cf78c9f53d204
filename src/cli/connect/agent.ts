import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Invocation } from "./invocation.ts";
import type { Places } from "./places.ts";
import type { SettingsContent } from "./settings-content.ts";

export type Scope = "user" | "project";

/** One settings file of an agent. */
export interface SettingsFile {
  readonly scope: Scope;
  readonly path: (places: Places) => string;
  readonly content: (invocation: Invocation) => SettingsContent;
  /** Set if the agent reads one of several files: whether this one is to be written. */
  readonly isChosen?: (places: Places) => boolean;
}

type Folder = (places: Places) => string;

export function settingsFile(
  scope: Scope,
  folder: Folder,
  name: string,
  content: SettingsFile["content"],
): SettingsFile {
  return { scope, path: (places) => join(folder(places), name), content };
}

/** Two files of which the agent reads one: the other one if `isOther` says so. */
export function eitherFile(
  usual: SettingsFile,
  other: SettingsFile,
  isOther: (places: Places) => boolean,
): SettingsFile[] {
  return [
    { ...usual, isChosen: (places) => !isOther(places) },
    { ...other, isChosen: isOther },
  ];
}

/** The project's top folder, or one below it. */
export function inProject(...below: readonly string[]): Folder {
  return ({ project }) => join(project, ...below);
}

/** Files of the same names in the user's folder of the agent and in that of a project. */
export function inBothScopes(
  userFolder: Folder,
  projectFolder: string,
  files: readonly (readonly [name: string, content: SettingsFile["content"]])[],
): SettingsFile[] {
  const inFolder = (scope: Scope, folder: Folder): SettingsFile[] =>
    files.map(([name, content]) => settingsFile(scope, folder, name, content));
  return [...inFolder("user", userFolder), ...inFolder("project", inProject(projectFolder))];
}

export interface Agent {
  readonly name: string;
  readonly title: string;
  /** A folder that exists if the agent is installed. */
  readonly folder: Folder;
  /** Started from the desktop, so it does not have the PATH of shells. */
  readonly isDesktop?: true;
  readonly files: readonly SettingsFile[];
  /** What the user still has to do. */
  readonly afterwards?: string;
}

export function isInstalled(agent: Agent, places: Places): boolean {
  return existsSync(agent.folder(places));
}

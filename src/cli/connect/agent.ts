import { existsSync } from "node:fs";
import type { Invocation } from "./invocation.ts";
import type { Places } from "./places.ts";
import type { SettingsContent } from "./settings-content.ts";

export type Scope = "user" | "project";

/** One settings file of an agent. */
export interface SettingsFile {
  readonly scope: Scope;
  readonly path: (places: Places) => string;
  readonly content: (invocation: Invocation) => SettingsContent;
  /** It is one of several that the agent reads: written where this is so. */
  readonly isChosen?: (places: Places) => boolean;
}

export interface Agent {
  readonly name: string;
  readonly title: string;
  /** A folder that is there when the agent is installed. */
  readonly folder: (places: Places) => string;
  /** Started from a desktop, it does not know the search path of shells. */
  readonly isDesktop?: true;
  readonly files: readonly SettingsFile[];
  /** What the user has to do besides. */
  readonly afterwards?: string;
}

export function isInstalled(agent: Agent, places: Places): boolean {
  return existsSync(agent.folder(places));
}

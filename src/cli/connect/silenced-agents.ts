import { join } from "node:path";
import { isObject } from "../../json/is-object.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import type { Agent } from "./agent.ts";
import { agents } from "./agents.ts";
import { connectedScopes, settingsTextAt } from "./connection-state.ts";
import { unmarked } from "./json-settings.ts";
import { valueAt } from "./json-text.ts";
import type { Places } from "./places.ts";
import { tomlValues } from "./toml-block.ts";

/*
 * With some settings, agents run no hooks, or none of the user's. They do not say so: the hooks stand in the settings
 * as before, and nothing is captured.
 */

/** An agent that is connected, but does not run our hooks. */
export interface SilencedAgent {
  readonly agent: Agent;
  /** The setting and its value, as `disableAllHooks: true`. */
  readonly setting: string;
  /** The file that it stands in. */
  readonly path: string;
}

interface HookSwitch {
  /** Names of the setting and of the tables around it. */
  readonly setting: readonly string[];
  /** Its value if hooks are off. */
  readonly off: boolean;
  /** The files that may contain it; of two that do, the later takes effect. */
  readonly files: readonly ((places: Places, agent: Agent) => string)[];
}

const ofUser = (name: string) => (places: Places, agent: Agent) => join(agent.folder(places), name);
const ofProject =
  (...path: readonly string[]) =>
  ({ project }: Places) =>
    join(project, ...path);

/** What an administrator set for all users of Claude Code on the machine. */
function managedByAdministrator({ platform }: Places): string {
  if (platform === "darwin") return "/Library/Application Support/ClaudeCode/managed-settings.json";
  if (platform === "win32") return "C:\\Program Files\\ClaudeCode\\managed-settings.json";
  return "/etc/claude-code/managed-settings.json";
}

/** The second is what Claude Code was told by its server for the user's organisation. */
const managedClaude = [managedByAdministrator, ofUser("remote-settings.json")];
const codexFiles = [ofUser("config.toml"), ofProject(".codex", "config.toml")];

const switches: Readonly<Record<string, readonly HookSwitch[]>> = {
  "claude-code": [
    {
      setting: ["disableAllHooks"],
      off: true,
      files: [
        ofUser("settings.json"),
        ofProject(".claude", "settings.json"),
        ofProject(".claude", "settings.local.json"),
        ...managedClaude,
      ],
    },
    { setting: ["allowManagedHooksOnly"], off: true, files: managedClaude },
  ],
  codex: [
    { setting: ["features", "hooks"], off: false, files: codexFiles },
    { setting: ["features", "codex_hooks"], off: false, files: codexFiles },
  ],
  "gemini-cli": [
    {
      setting: ["hooksConfig", "enabled"],
      off: false,
      files: [ofUser("settings.json"), ofProject(".gemini", "settings.json")],
    },
  ],
  "qwen-code": [
    {
      setting: ["disableAllHooks"],
      off: true,
      files: [ofUser("settings.json"), ofProject(".qwen", "settings.json")],
    },
  ],
  droid: [
    {
      setting: ["hooks", "hooksDisabled"],
      off: true,
      files: [ofUser("settings.json"), ofProject(".factory", "settings.json")],
    },
    {
      setting: ["hooksDisabled"],
      off: true,
      files: ["hooks.json", "hooks/hooks.json"].flatMap((name) => [
        ofUser(name),
        ofProject(".factory", name),
      ]),
    },
  ],
};

/** The connected agents that do not run our hooks, each with the first setting that is the reason. */
export function silencedAgents(places: Places): SilencedAgent[] {
  return agents
    .filter((agent) => connectedScopes(agent, places).length > 0)
    .flatMap((agent) => silencingOf(agent, places) ?? []);
}

/** Why an agent does not run our hooks; undefined if it does, as far as its settings show. */
export function silencingOf(agent: Agent, places: Places): SilencedAgent | undefined {
  for (const { setting, off, files } of switches[agent.name] ?? []) {
    const given = files
      .map((file) => file(places, agent))
      .map((path) => ({ path, value: settingIn(path, setting) }))
      .findLast(({ value }) => value !== undefined);
    if (given?.value === off)
      return { agent, setting: `${setting.join(".")}: ${String(off)}`, path: given.path };
  }
  return undefined;
}

function settingIn(path: string, setting: readonly string[]): unknown {
  const text = settingsTextAt(path);
  if (text === undefined) return undefined;
  try {
    return path.endsWith(".toml")
      ? valueIn(tomlValues(text), setting)
      : valueAt(unmarked(text).text, setting);
  } catch (error) {
    // The agent cannot read such a file either.
    if (isMemsvcError(error)) return undefined;
    throw error;
  }
}

function valueIn(values: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return values;
  return isObject(values) ? valueIn(values[name], rest) : undefined;
}

/** What to tell the user. */
export function silencingNote({ agent, setting, path }: SilencedAgent): string {
  return `${agent.title} does not run the hooks of memsvc: ${setting} in ${path}`;
}

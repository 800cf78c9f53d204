import { captureSettings } from "./capture-settings.ts";
import { embeddingSettings } from "./embedding-settings.ts";
import { llmSettings } from "./llm-settings.ts";
import { recallSettings } from "./recall-settings.ts";
import { serverSettings } from "./server-settings.ts";
import type { SettingDefinition } from "./setting.ts";

/** All settings. `Settings`, the config file, `memsvc config` and the reference are derived from this table. */
export const settingsTable = [
  ...serverSettings,
  ...captureSettings,
  ...recallSettings,
  ...llmSettings,
  ...embeddingSettings,
] as const satisfies readonly SettingDefinition[];

type Declared = (typeof settingsTable)[number];

export type SettingName = Declared["name"];

/** The sources of a value; the first that has one wins. */
export type SettingOrigin = "flag" | "environment" | "file" | "default";

type ValueOf<Definition extends SettingDefinition> = Definition extends { kind: "boolean" }
  ? boolean
  : Definition extends { kind: "integer" | "number" }
    ? number
    : Definition extends { kind: "enum" | "list"; values: readonly (infer Value)[] }
      ? Definition extends { kind: "list" }
        ? readonly Value[]
        : Value
      : Definition extends { kind: "list" }
        ? readonly string[]
        : string;

/** The values of all settings by property; undefined for an unset one without a default. */
export type Settings = {
  readonly [Definition in Declared as Definition["property"]]: Definition extends { default: unknown }
    ? ValueOf<Definition>
    : ValueOf<Definition> | undefined;
};

const byName: ReadonlyMap<string, Declared> = new Map(
  settingsTable.map((definition) => [definition.name, definition]),
);

/** The declaration of a setting by its name in the environment. */
export function findSetting(name: string): Declared | undefined {
  return byName.get(name);
}

/**
 * Whether a change takes effect only after the running daemon is restarted. Commands and hooks read the settings at
 * each start.
 */
export function needsRestart({ group, name }: SettingDefinition): boolean {
  // MEMSVC_REQUIRE_HTTPS is a client setting, but the daemon too is a client: of its peers.
  return group !== "client" || name === "MEMSVC_REQUIRE_HTTPS";
}

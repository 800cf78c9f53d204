import { captureSettings } from "./capture-settings.ts";
import { embeddingSettings } from "./embedding-settings.ts";
import { llmSettings } from "./llm-settings.ts";
import { recallSettings } from "./recall-settings.ts";
import { serverSettings } from "./server-settings.ts";
import type { SettingDefinition } from "./setting.ts";

/** Every setting there is. `Settings`, the config file, `memsvc config` and the reference all follow from it. */
export const settingsTable = [
  ...serverSettings,
  ...captureSettings,
  ...recallSettings,
  ...llmSettings,
  ...embeddingSettings,
] as const satisfies readonly SettingDefinition[];

type Declared = (typeof settingsTable)[number];

export type SettingName = Declared["name"];

/** Where a value may come from, the first that has one wins. */
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

/** All settings by property; one without a default is `undefined` while it is unset. */
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

/** Whether a running daemon has to be started anew for a change to count. Commands and hooks read theirs as they start. */
export function needsRestart({ group, name }: SettingDefinition): boolean {
  // The daemon is itself a client, of its peers.
  return group !== "client" || name === "MEMSVC_REQUIRE_HTTPS";
}

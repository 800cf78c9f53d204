import { MemsvcError } from "../operation/errors.ts";
import { parseEnvFile, unreadableEnvLines } from "./env-file.ts";
import { configFile } from "./home.ts";
import { ineffectiveSettings } from "./ineffective-settings.ts";
import { readValue, type SettingValue } from "./read-value.ts";
import type { SettingDefinition } from "./setting.ts";
import {
  findSetting,
  type SettingName,
  type SettingOrigin,
  type Settings,
  settingsTable,
} from "./settings-table.ts";

export type { SettingName, SettingOrigin, Settings } from "./settings-table.ts";

export type OptionalSettings = (setting: SettingDefinition) => boolean;

interface SettingSources {
  /** The home folder, for error messages. */
  readonly home: string;
  /** Values from command-line flags, by the name of the setting (`MEMSVC_PORT`). */
  readonly flags?: Readonly<Partial<Record<string, string>>>;
  readonly env: NodeJS.ProcessEnv;
  /** The text of `<home>/.env`; undefined if there is no such file. */
  readonly fileText: string | undefined;
  /** Settings whose invalid values count as unset, with a warning, instead of being errors. */
  readonly optional?: OptionalSettings | undefined;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly origins: Readonly<Record<SettingName, SettingOrigin>>;
  /** One line each, for the log. */
  readonly warnings: readonly string[];
}

interface Layer {
  readonly origin: Exclude<SettingOrigin, "default">;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * MEMSVC_ variables that are not settings: MEMSVC_HOME is read before the settings, MEMSVC_EVAL_DIR by the benchmarks.
 */
const namesOfOthers = new Set(["MEMSVC_HOME", "MEMSVC_EVAL_DIR"]);

/** Shorter secrets can be guessed and get a warning (contract: settings of the server). */
const shortestGoodSecret = 16;

/**
 * Resolves every setting: flag, else environment, else config file, else default. An empty value counts as unset.
 * Throws `invalid_setting` for a value that does not parse or is out of range; no message contains a secret.
 */
export function loadSettings(sources: SettingSources): LoadedSettings {
  const layers: Layer[] = [
    { origin: "flag", values: definedEntries(sources.flags ?? {}) },
    { origin: "environment", values: definedEntries(sources.env) },
    { origin: "file", values: parseEnvFile(sources.fileText ?? "") },
  ];
  const warnings = sourceWarnings(layers, sources);
  const values: Record<string, SettingValue | undefined> = {};
  const origins: Record<string, SettingOrigin> = {};
  for (const definition of settingsTable) {
    const { value, origin } = resolveSetting(definition, layers, sources, warnings);
    values[definition.property] = value;
    origins[definition.name] = origin;
  }
  // The loop above went over the table from which both types are derived, so every property is set, with its type.
  const settings = values as unknown as Settings;
  if (settings.secret !== undefined && settings.secret.length < shortestGoodSecret) {
    warnings.push(`MEMSVC_SECRET is shorter than ${shortestGoodSecret} characters and easy to guess`);
  }
  warnings.push(...ineffectiveSettings(settings));
  return { settings, origins: origins as LoadedSettings["origins"], warnings };
}

function resolveSetting(
  definition: SettingDefinition,
  layers: readonly Layer[],
  { home, optional }: Pick<SettingSources, "home" | "optional">,
  warnings: string[],
): { value: SettingValue | undefined; origin: SettingOrigin } {
  for (const { origin, values } of layers) {
    const raw = values.get(definition.name);
    if (raw === undefined) continue;
    const read = readValue(definition, raw, origin);
    if (read.kind === "invalid") {
      const error = invalidSetting(definition, read.problem, origin, home);
      if (optional?.(definition) !== true) throw error;
      warnings.push(error.message);
      continue;
    }
    if (read.warning !== undefined) {
      warnings.push(`${definition.name} ${read.warning} (from ${placeOf(definition, origin, home)})`);
    }
    if (read.kind === "value") return { value: read.value, origin };
  }
  return { value: definition.default, origin: "default" };
}

function invalidSetting(
  definition: SettingDefinition,
  problem: string,
  origin: Layer["origin"],
  home: string,
): MemsvcError {
  const place = placeOf(definition, origin, home);
  return new MemsvcError("invalid_setting", `${definition.name} ${problem} (from ${place})`, {
    hint:
      origin === "flag"
        ? `Give ${place} another value, or leave it out.`
        : `Correct it in ${place}, or leave it out there.`,
  });
}

function placeOf(definition: SettingDefinition, origin: Layer["origin"], home: string): string {
  switch (origin) {
    case "flag":
      return definition.flag ?? "the command line";
    case "environment":
      return "the environment";
    case "file":
      return configFile(home);
  }
}

function sourceWarnings(layers: readonly Layer[], sources: SettingSources): string[] {
  const file = configFile(sources.home);
  const warnings = unreadableEnvLines(sources.fileText ?? "").map(
    (line) => `line ${line} of ${file} is not KEY=VALUE and has no effect`,
  );
  const unknown = new Set<string>();
  for (const { origin, values } of layers) {
    for (const name of values.keys()) {
      if (origin === "file" && name === "MEMSVC_HOME") {
        warnings.push(`MEMSVC_HOME in ${file} has no effect: set it in the environment or give --home`);
      }
      if (name.startsWith("MEMSVC_") && !namesOfOthers.has(name) && !findSetting(name))
        unknown.add(onOneLine(name));
    }
  }
  if (unknown.size > 0) warnings.push(`unknown settings have no effect: ${[...unknown].sort().join(", ")}`);
  return warnings;
}

/** A name in the environment may contain control characters. */
function onOneLine(name: string): string {
  return name.replaceAll(/[\u0000-\u001f\u007f]/g, "?");
}

function definedEntries(values: Readonly<Partial<Record<string, string>>>): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) entries.set(name, value);
  }
  return entries;
}

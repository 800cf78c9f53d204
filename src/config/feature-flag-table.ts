import { MemsvcError } from "../operation/errors.ts";
import type { FeatureFlag } from "./feature-flag.ts";
import { findSetting, type SettingName, type Settings } from "./settings-table.ts";

/** What is available besides the settings: a language model provider, and models that embed texts and images. */
export interface Capabilities {
  readonly llm: boolean;
  readonly embeddings: boolean;
  readonly images: boolean;
}

interface FlagDefinition {
  readonly key: SettingName;
  /** The list of `/config/flags` that shows it. */
  readonly list: "flags" | "features";
  readonly label: string;
  readonly needsLlm: boolean;
  readonly affects: readonly string[];
  /**
   * Lines to write into the config file, without those of the model provider; unless given, one that sets the key to
   * true.
   */
  readonly assignments?: readonly string[];
  /** A clause that says what else is needed. */
  readonly alsoNeeds?: string;
  readonly enabled: (settings: Settings) => boolean;
  /** Whether everything else it needs is there, apart from the language model. */
  readonly complete?: (settings: Settings, has: Capabilities) => boolean;
}

/** The switchable features, in the order of `/config/flags`; their defaults are all off. */
export const featureFlagTable = [
  {
    key: "GRAPH_EXTRACTION_ENABLED",
    list: "flags",
    label: "Knowledge graph by language model",
    needsLlm: true,
    affects: ["Graph", "Dashboard"],
    enabled: (settings) => settings.graphExtractionEnabled,
  },
  {
    key: "CONSOLIDATION_ENABLED",
    list: "flags",
    label: "Consolidation",
    needsLlm: true,
    affects: ["Dashboard", "Memories", "Crystals"],
    enabled: (settings) => settings.consolidationEnabled,
  },
  {
    key: "MEMSVC_AUTO_COMPRESS",
    list: "flags",
    label: "Compression by language model",
    needsLlm: true,
    affects: ["Memories", "Timeline"],
    enabled: (settings) => settings.autoCompress,
  },
  {
    key: "MEMSVC_INJECT_CONTEXT",
    list: "flags",
    label: "Context injection",
    needsLlm: false,
    affects: ["Hooks"],
    enabled: (settings) => settings.injectContext,
  },
  {
    key: "MEMSVC_SLOTS",
    list: "features",
    label: "Slots",
    needsLlm: false,
    affects: ["Slots", "Context"],
    enabled: (settings) => settings.slots,
  },
  {
    key: "MEMSVC_REFLECT",
    list: "features",
    label: "Slot reflection",
    needsLlm: false,
    affects: ["Slots"],
    assignments: ["MEMSVC_SLOTS=true", "MEMSVC_REFLECT=true"],
    enabled: (settings) => settings.reflect,
    complete: (settings) => settings.slots,
  },
  {
    key: "MEMSVC_IMAGE_EMBEDDINGS",
    list: "features",
    label: "Image search",
    needsLlm: false,
    affects: ["Search"],
    alsoNeeds: "install a model of images (memsvc models pull clip-vit-base-patch32 --from <dir>)",
    enabled: (settings) => settings.imageEmbeddings,
    complete: (_settings, has) => has.images,
  },
  {
    key: "MEMSVC_TEAM_ID",
    list: "features",
    label: "Team",
    needsLlm: false,
    affects: ["Team"],
    assignments: ["MEMSVC_TEAM_ID=<team>", "MEMSVC_USER_ID=<you>"],
    enabled: (settings) => settings.teamId !== undefined,
    complete: (settings) => settings.userId !== undefined,
  },
  {
    key: "MEMSVC_BRIDGE_ENABLED",
    list: "features",
    label: "Agent memory file bridge",
    needsLlm: false,
    affects: ["Bridge"],
    assignments: ["MEMSVC_BRIDGE_ENABLED=true", "MEMSVC_BRIDGE_PROJECT_PATH=~/<folder>"],
    enabled: (settings) => settings.bridgeEnabled,
    complete: (settings) => settings.bridgeProjectPath !== undefined || settings.bridgeFile !== undefined,
  },
] as const satisfies readonly FlagDefinition[];

export type FlagKey = (typeof featureFlagTable)[number]["key"];

/** The two lists of `/config/flags`: the four that contract clients know, and the further ones. */
export function featureFlags(
  settings: Settings,
  has: Capabilities,
): { flags: FeatureFlag[]; features: FeatureFlag[] } {
  const listed = (list: FlagDefinition["list"]) =>
    flagDefinitions.filter((flag) => flag.list === list).map((flag) => describeFlag(flag, settings, has));
  return { flags: listed("flags"), features: listed("features") };
}

/** Whether a feature is on and has everything it needs. */
export function isEffective(key: FlagKey, settings: Settings, has: Capabilities): boolean {
  return flagDefinitions.some((flag) => flag.key === key && effective(flag, settings, has));
}

/** The error for an operation whose feature is off: `feature_off` with `flag`, `enableHow` and `docsHref`. */
export function featureOff(key: FlagKey): MemsvcError {
  const flag = flagDefinitions.find((definition) => definition.key === key);
  if (!flag) throw new TypeError(`${key} is no feature flag`);
  const enableHow = howToEnable(flag);
  return new MemsvcError(
    "feature_off",
    `${flag.label}: this feature is off or not fully set up; ${key} switches it`,
    {
      hint: enableHow,
      extra: { flag: key, enableHow, docsHref: docsHref(key) },
    },
  );
}

/** Link to a setting in the reference; `settingsReference` writes the anchor. */
export function docsHref(name: string): string {
  return `docs/config.md#${name.toLowerCase()}`;
}

const flagDefinitions: readonly (FlagDefinition & { readonly key: FlagKey })[] = featureFlagTable;

function describeFlag(flag: FlagDefinition, settings: Settings, has: Capabilities): FeatureFlag {
  return {
    key: flag.key,
    label: flag.label,
    enabled: flag.enabled(settings),
    default: false,
    needsLlm: flag.needsLlm,
    description: findSetting(flag.key)?.description ?? flag.label,
    enableHow: howToEnable(flag),
    docsHref: docsHref(flag.key),
    affects: [...flag.affects],
    effective: effective(flag, settings, has),
  };
}

function effective(flag: FlagDefinition, settings: Settings, has: Capabilities): boolean {
  const complete = flag.complete?.(settings, has) ?? true;
  return flag.enabled(settings) && complete && (!flag.needsLlm || has.llm);
}

function howToEnable(flag: FlagDefinition): string {
  const model = flag.needsLlm ? " and the key of a language model provider, such as ANTHROPIC_API_KEY," : "";
  const { assignments = [`${flag.key}=true`] } = flag;
  const [only = "", ...others] = assignments;
  const words = others.length === 0 ? only.replace("=", " ") : "<name> <value>";
  const further = flag.alsoNeeds === undefined ? "" : `, ${flag.alsoNeeds}`;
  return `Set ${assignments.join(" and ")}${model} in the file .env of the memsvc home (memsvc config set ${words})${further}, then restart the daemon.`;
}

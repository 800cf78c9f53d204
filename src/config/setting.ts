/** The types of setting declarations; `settings-table.ts` collects the declarations. */

/** Group headings of `memsvc config list` and of the reference, in order. */
export const settingGroups = {
  server: "Server",
  store: "Store",
  capture: "Capture and sessions",
  knowledge: "Knowledge and forgetting",
  search: "Search and context",
  graph: "Graph",
  sharing: "Sharing",
  snapshots: "Snapshots and audit",
  mcp: "MCP tools",
  client: "Clients: command line, hooks, stdio shim",
  llm: "Language models",
  embedding: "Embeddings",
} as const;

export type SettingGroup = keyof typeof settingGroups;

/** Formats of text settings; the checks are in `value-formats.ts`. */
export type ValueFormat =
  | "http-url"
  | "fetched-url"
  | "database-url"
  | "origin"
  | "host"
  | "host-or-cidr"
  | "path-prefix"
  | "whole-path"
  | "header-text";

interface Named {
  /** The name in the environment and in the config file. */
  readonly name: string;
  /** The property of `Settings`. */
  readonly property: string;
  readonly group: SettingGroup;
  /** One line, without a full stop. */
  readonly description: string;
  /** The command-line flag that overrides it. */
  readonly flag?: string;
  /** Text for the effective value while it is unset, if there is no simple default. */
  readonly defaultText?: string;
}

export interface TextSetting extends Named {
  readonly kind: "string" | "secret";
  readonly default?: string;
  readonly format?: ValueFormat;
  /**
   * Set if other programs read the variable too: then a value in another format counts as unset instead of being an
   * error.
   */
  readonly isShared?: true;
  /** Longer values are cut; in code points. */
  readonly maxLength?: number;
  /**
   * Set if a value from the environment that still contains `${…}` counts as unset: a launcher failed to expand it. In
   * the config file nothing is ever expanded.
   */
  readonly unexpandedIsUnset?: true;
}

export interface BooleanSetting extends Named {
  readonly kind: "boolean";
  readonly default: boolean;
  /** A further value that means true, besides `true`. */
  readonly alsoTrue?: string;
  /** Every value but `false` means true. */
  readonly unlessFalse?: true;
}

export interface NumericSetting extends Named {
  readonly kind: "integer" | "number";
  readonly default?: number;
  readonly min: number;
  readonly max: number;
}

interface EnumSetting extends Named {
  readonly kind: "enum";
  readonly values: readonly string[];
  readonly default?: string;
}

/** Comma-separated; items are trimmed, empty ones and repeats dropped. */
export interface ListSetting extends Named {
  readonly kind: "list";
  readonly default?: readonly string[];
  readonly values?: readonly string[];
  readonly format?: ValueFormat;
}

export type SettingDefinition = TextSetting | BooleanSetting | NumericSetting | EnumSetting | ListSetting;

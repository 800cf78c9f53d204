/** The shapes in which a setting may be declared; `settings-table.ts` collects the declarations. */

/** Headings of `memsvc config list` and of the reference, in their order. */
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

/** What a text has to look like; `value-formats.ts` has the checks. */
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
  /** The flag of the command line that overrides it. */
  readonly flag?: string;
  /** What holds while it is unset, where there is no plain default. */
  readonly defaultText?: string;
}

export interface TextSetting extends Named {
  readonly kind: "string" | "secret";
  readonly default?: string;
  readonly format?: ValueFormat;
  /** Other programs read it too, so that a value of another form counts as unset and stops nothing. */
  readonly isShared?: true;
  /** Longer values are cut, in code points. */
  readonly maxLength?: number;
  /** A `${…}` that a launcher left in the environment makes it unset; in the config file nothing is ever expanded. */
  readonly unexpandedIsUnset?: true;
}

export interface BooleanSetting extends Named {
  readonly kind: "boolean";
  readonly default: boolean;
  /** Values that are true besides `true`. */
  readonly alsoTrue?: string;
  /** Whatever is not `false` is true. */
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

/** The longest time that a timer of Node can wait, in milliseconds. */
export const maxTimerMs = 2_147_483_647;

import type { Configuration } from "../config/configuration.ts";
import type { OpenCaller } from "./callers/caller.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Flags of every command. */
export interface GlobalFlags {
  /** Prints the answer as JSON on one line. */
  readonly json: boolean;
  /** The same, with one line for each record of a list. */
  readonly ndjson: boolean;
  readonly quiet: boolean;
  readonly yes: boolean;
  readonly offline: boolean;
  readonly home: string | undefined;
  readonly url: string | undefined;
  readonly secretFile: string | undefined;
}

/** What a command needs; settings and caller are opened at first use. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly globals: GlobalFlags;
  readonly cwd: string;
  configuration(): Configuration;
  caller(): Promise<OpenCaller>;
  /** Closes what was opened. */
  close(): Promise<void>;
}

/** The positional arguments of a command; a list for a variadic one. */
export type Positionals = readonly (string | readonly string[] | undefined)[];

/** Runs a command and returns its exit code. */
export type CommandRun = (
  context: CommandContext,
  positional: Positionals,
  flags: Readonly<Record<string, unknown>>,
) => Promise<number>;

/** A flag in commander's notation, such as `--limit <value>`. */
export interface FlagForm {
  readonly form: string;
  readonly description: string;
  /** The allowed values, if there are few. */
  readonly choices?: readonly string[];
  /** The value without the flag. */
  readonly default?: string;
  /** The name, in camel case, of a flag that this one contradicts. */
  readonly contradicts?: string;
}

/** A command that is not just one operation. */
export interface CommandDefinition {
  /** Words and positional arguments: `config set <key> <value>`. */
  readonly command: string;
  readonly summary: string;
  readonly flags: readonly FlagForm[];
  readonly examples: readonly string[];
  /** Hidden in the help: for scripts only. */
  readonly hidden?: true;
  readonly load: () => Promise<{ readonly run: CommandRun }>;
}

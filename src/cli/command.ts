import type { Configuration } from "../config/configuration.ts";
import type { OpenCaller } from "./callers/caller.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Flags that every command takes. */
export interface GlobalFlags {
  /** The answer as JSON, on one line. */
  readonly json: boolean;
  /** The same, with a line of its own for each record of a list. */
  readonly ndjson: boolean;
  readonly quiet: boolean;
  readonly yes: boolean;
  readonly offline: boolean;
  readonly home: string | undefined;
  readonly url: string | undefined;
  readonly secretFile: string | undefined;
}

/** What a command works with; settings and caller are opened at first use. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly globals: GlobalFlags;
  readonly cwd: string;
  configuration(): Configuration;
  caller(): Promise<OpenCaller>;
  /** Closes what was opened. */
  close(): Promise<void>;
}

/** The positional arguments of a command; a list where it takes several in one place. */
export type Positionals = readonly (string | readonly string[] | undefined)[];

/** Runs a command and returns its exit code. */
export type CommandRun = (
  context: CommandContext,
  positional: Positionals,
  flags: Readonly<Record<string, unknown>>,
) => Promise<number>;

/** A flag as commander takes it, such as `--limit <value>`. */
export interface FlagForm {
  readonly form: string;
  readonly description: string;
  /** Values that it may have, where they are few. */
  readonly choices?: readonly string[];
  /** What holds without it. */
  readonly default?: string;
}

/** A command that is more than one operation. */
export interface CommandDefinition {
  /** Words and positionals: `config set <key> <value>`. */
  readonly command: string;
  readonly summary: string;
  readonly flags: readonly FlagForm[];
  readonly examples: readonly string[];
  /** For scripts, not for people. */
  readonly hidden?: true;
  readonly load: () => Promise<{ readonly run: CommandRun }>;
}

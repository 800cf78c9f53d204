import type { Bare, CliBinding, HttpBinding, Operation } from "../../operation/define.ts";
import type { TextKind } from "../../operation/text-values.ts";
import type { Family } from "./families.ts";

/** A flag of a command, for an input field. */
export interface FlagDefinition {
  readonly field: string;
  /** Without dashes: `ttl-days`. */
  readonly name: string;
  readonly kind: TextKind;
  readonly description: string;
  /** The allowed values, if there are few. */
  readonly choices?: readonly string[];
  /** The value without the flag, for the help; undefined if there is none or the description explains it. */
  readonly default?: string;
}

/** A positional argument; `<content...>` takes the rest of the line. */
export interface Positional extends Omit<FlagDefinition, "name"> {
  readonly variadic: boolean;
}

export interface OperationCommand extends Omit<CliBinding, "command" | "flags"> {
  /** Words and positionals: `session end <sessionId>`. */
  readonly usage: string;
  readonly summary: string;
  readonly positionals: readonly Positional[];
  readonly flags: readonly FlagDefinition[];
}

/**
 * What the command line knows about an operation without loading its declaration and with it zod: enough to parse its
 * command and to send it to a daemon.
 */
export interface OperationEntry extends Pick<Operation, "id" | "hits"> {
  readonly family: Family;
  readonly http: Pick<HttpBinding, "method" | "path" | "readOnly">;
  readonly bare?: Pick<Bare, "field">;
  readonly command?: OperationCommand;
}

/** An entry with the type of its operation. */
export interface EntryOf<Op extends Operation> extends OperationEntry {
  readonly operation?: Op;
}

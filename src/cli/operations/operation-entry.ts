import type { CliBinding, HttpBinding, Operation } from "../../operation/define.ts";
import type { TextKind } from "../../operation/text-values.ts";
import type { Family } from "./families.ts";

/** One flag of a command: an input field as it is given on a command line. */
export interface FlagDefinition {
  readonly field: string;
  /** Without the dashes: `ttl-days`. */
  readonly name: string;
  readonly kind: TextKind;
  readonly description: string;
  /** Values that it may have, where they are few. */
  readonly choices: readonly string[];
  /** What holds without it, as help tells it; absent where that is nothing, or a matter of the description. */
  readonly default?: string;
}

/** A positional argument; `<content...>` takes the rest of the line. */
export interface Positional extends Pick<FlagDefinition, "field" | "kind" | "description" | "default"> {
  readonly variadic: boolean;
  readonly choices?: FlagDefinition["choices"];
}

export interface OperationCommand
  extends Pick<CliBinding, "examples" | "oneByOne" | "asksFirst" | "bulk" | "records"> {
  /** Words and positionals: `session end <sessionId>`. */
  readonly usage: string;
  readonly summary: string;
  readonly positionals: readonly Positional[];
  readonly flags: readonly FlagDefinition[];
}

/**
 * What the command line knows of an operation without loading its declaration, which would bring the schema
 * library with it: enough to parse its command and to send it to a daemon.
 */
export interface OperationEntry extends Pick<Operation, "id" | "hits"> {
  readonly family: Family;
  readonly http: Pick<HttpBinding, "method" | "path" | "readOnly">;
  readonly bare?: Pick<NonNullable<Operation["bare"]>, "field">;
  readonly command?: OperationCommand;
}

/** An entry that remembers, for the type checker, which operation it stands for. */
export interface EntryOf<Op extends Operation> extends OperationEntry {
  readonly operation?: Op;
}

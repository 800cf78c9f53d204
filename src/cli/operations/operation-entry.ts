import type { HttpBinding, Operation } from "../../operation/define.ts";
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
export interface Positional {
  readonly field: string;
  readonly kind: TextKind;
  readonly variadic: boolean;
  readonly description: string;
  /** Values that it may have, where they are few. */
  readonly choices?: readonly string[];
  /** What holds without it, as help tells it. */
  readonly default?: string;
}

export interface OperationCommand {
  /** Words and positionals: `session end <sessionId>`. */
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly positionals: readonly Positional[];
  readonly flags: readonly FlagDefinition[];
  /** Set where the operation is carried out once for every value of its first positional. */
  readonly oneByOne?: true;
  /** Set where a terminal is shown the dry run, and asked, before it is done. */
  readonly asksFirst?: true;
  /** Set where it works on whatever its filters let through. */
  readonly bulk?: true;
  /** The field of the answer that is a list of records, where the answer neither counts them nor has `hits`. */
  readonly records?: string;
}

/**
 * What the command line knows of an operation without loading its declaration, which would bring the schema
 * library with it: enough to parse its command and to send it to a daemon.
 */
export interface OperationEntry {
  readonly id: string;
  readonly family: Family;
  readonly http: Pick<HttpBinding, "method" | "path" | "readOnly">;
  readonly bare?: Pick<NonNullable<Operation["bare"]>, "field">;
  /** Of a search, the field of its answer that holds what was found. */
  readonly hits?: string;
  readonly command?: OperationCommand;
}

/** An entry that remembers, for the type checker, which operation it stands for. */
export interface EntryOf<Op extends Operation> extends OperationEntry {
  readonly operation?: Op;
}

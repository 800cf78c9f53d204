import * as z from "zod";
import { isDeeperThan, maxDepth, nestedTooDeep } from "../json/parse-json.ts";
import type { McpBinding, Operation, ToolArgument } from "../operation/define.ts";
import { oneOf } from "../operation/describe-issue.ts";
import { type Issue, isMemsvcError, MemsvcError } from "../operation/errors.ts";
import { parseInput } from "../operation/parse.ts";
import { inputJsonSchema, type JsonSchema } from "../operation/text-kinds.ts";
import { type ArgumentKind, argumentKindOf, argumentSchema, coerceArgument } from "./argument-kind.ts";

/** An operation that is a tool by itself, or one of several that share a tool. */
export type ToolOperation = Operation & { readonly mcp: McpBinding };

/** One argument of a tool, and the input field that it fills. */
export interface Argument {
  readonly name: string;
  readonly field: string;
  readonly kind: ArgumentKind;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
  readonly declared: ToolArgument;
}

/** The arguments of an operation's tool, as its binding names them; every input field unless it names any. */
export function argumentsOf({ id, input, mcp }: ToolOperation): Argument[] {
  const json = inputJsonSchema(input);
  const fields = json.properties ?? {};
  const named = mcp.arguments ?? Object.fromEntries(Object.keys(fields).map((name) => [name, true as const]));
  return Object.entries(named).map(([name, given]) => {
    const declared = given === true ? {} : given;
    const field = declared.field ?? name;
    const own = fields[field];
    if (typeof own !== "object")
      throw new Error(`${mcp.tool} has an argument ${name}, but ${id} no ${field}`);
    const taken = declared.type === undefined ? own : inputJsonSchema(declared.type);
    const description = declared.description ?? taken.description ?? own.description;
    const byDefault = declared.default ?? taken.default;
    const isRequired =
      declared.required ?? (json.required?.includes(field) && byDefault === undefined) ?? false;
    const kind = argumentKindOf(taken);
    const { default: _ofField, ...shown } = taken;
    const schema = argumentSchema(kind, {
      ...shown,
      ...(description === undefined ? {} : { description }),
      // If the tool requires the argument, a default that only the operation has must not be shown.
      ...(byDefault === undefined || isRequired ? {} : { default: byDefault as z.core.util.JSONType }),
    });
    return { name, field, kind, isRequired, schema, declared };
  });
}

/** The arguments of a call. */
interface GivenArguments {
  readonly given: Readonly<Record<string, unknown>>;
  /** The names of those that the tool does not have. */
  readonly unknown: readonly string[];
}

/** Example: `: passed or failed`. */
function choicesIn({ enum: values }: JsonSchema): string {
  return values === undefined ? "" : `: ${oneOf(values.map(String))}`;
}

/**
 * Makes an operation's input of a tool's arguments; unknown arguments are ignored. `agentId` is always passed on,
 * whether or not the tool shows it. Errors: invalid_input, in the names of the arguments; if one is missing, or one of
 * several, unknown ones are named too, because one of them may be meant for it.
 */
export function inputOf(
  operation: ToolOperation,
  known: readonly Argument[],
  { given, unknown }: GivenArguments,
): Record<string, unknown> {
  const input: Record<string, unknown> = { agentId: given.agentId };
  const missing: Issue[] = [];
  for (const { name, field, kind, isRequired, schema, declared } of known) {
    const value = given[name];
    const isAbsent = value === undefined || value === null;
    if (isAbsent && isRequired) missing.push({ path: name, message: `${name} required${choicesIn(schema)}` });
    // null may mean "absent" or "empty the field": the operation decides, so it is passed on.
    const wanted = isAbsent ? (declared.default ?? value) : coerceArgument(kind, value);
    // It may have come as a text, which the parser of the message takes for flat.
    if (isDeeperThan(maxDepth - 1, wanted)) throw nestedTooDeep(maxDepth, name);
    const { type } = declared;
    input[field] =
      type === undefined || isAbsent
        ? wanted
        : withArgumentNames(known, given, () => parseArgument(type, name, wanted));
  }
  const instead = unknown.length === 0 ? "" : `; there is no argument ${unknown.join(", ")}`;
  if (missing.length > 0) {
    const all =
      missing.length === 1 && missing[0] !== undefined
        ? missing[0].message
        : `${missing.map(({ path }) => path).join(" and ")} required`;
    throw new MemsvcError("invalid_input", all + instead, { issues: missing });
  }
  try {
    withArgumentNames(known, given, () => parseInput(operation.input, input));
  } catch (error) {
    if (!isMemsvcError(error, "invalid_input") || error.issues?.[0]?.path !== "") throw error;
    throw new MemsvcError("invalid_input", error.message + instead, { issues: error.issues });
  }
  return input;
}

/** Runs `read` and puts the names of arguments in place of field names in its invalid_input errors. */
function withArgumentNames<T>(
  known: readonly Argument[],
  given: Readonly<Record<string, unknown>>,
  read: () => T,
): T {
  try {
    return read();
  } catch (error) {
    throw isMemsvcError(error, "invalid_input") ? renamed(known, error, given) : error;
  }
}

const emptyHint = "; leave it out if there is nothing to say";

/** Validates and converts a value by the schema that the argument itself declares. */
function parseArgument(type: z.ZodType, name: string, value: unknown): unknown {
  return parseInput(z.object({ [name]: type }), { [name]: value })[name];
}

/** The error in the names of the arguments; adds advice where a model sent an empty string for an optional one. */
function renamed(
  known: readonly Argument[],
  { message, issues = [] }: MemsvcError,
  given: Readonly<Record<string, unknown>>,
): MemsvcError {
  const others = known.filter(({ name, field }) => name !== field);
  const inName = (text: string): string => {
    const argument = others.find(({ field }) => new RegExp(`^${field}\\b`, "u").test(text));
    return argument === undefined ? text : argument.name + text.slice(argument.field.length);
  };
  const wayOut = (path: string): string => (isLeftEmpty(known, path, given) ? emptyHint : "");
  const told = issues.map((issue) => ({ path: inName(issue.path), message: inName(issue.message) }));
  return new MemsvcError("invalid_input", inName(message) + wayOut(told[0]?.path ?? ""), {
    issues: told.map((issue) => ({ ...issue, message: issue.message + wayOut(issue.path) })),
  });
}

/**
 * Models often send an empty string for an argument they have no value for, which is not the same as leaving it out.
 */
function isLeftEmpty(
  known: readonly Argument[],
  path: string,
  given: Readonly<Record<string, unknown>>,
): boolean {
  const value = Object.hasOwn(given, path) ? given[path] : undefined;
  const isRequired = known.some(({ name, isRequired: needed }) => name === path && needed);
  return typeof value === "string" && value.trim() === "" && !isRequired;
}

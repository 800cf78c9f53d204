import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { groupPairs } from "../group-by.ts";
import type { McpBinding } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
import type { JsonSchema } from "../operation/text-kinds.ts";
import { type Argument, argumentsOf, inputOf, type ToolOperation } from "./arguments.ts";

/** The meaning of a tool call: an operation and its input. */
export interface ToolUse {
  readonly operation: ToolOperation;
  readonly input: Readonly<Record<string, unknown>>;
  /** Given arguments that the tool does not have; they are ignored. */
  readonly unknown: readonly string[];
}

/** A tool, made of the operation that declares it, or of several operations among which an argument chooses. */
export interface McpTool {
  readonly isCore: boolean;
  readonly readsOnly: boolean;
  /** The entry in lists of tools. */
  readonly listed: Tool;
  /** The operation and input that a call with these arguments means. Error: invalid_input. */
  read(given: Readonly<Record<string, unknown>>): ToolUse;
}

/**
 * Makes the tool of the operations that name it. The first one gives the title and the description; if there are
 * several, each is selected by its `chosenBy`.
 */
export function toolOf(operations: readonly [ToolOperation, ...ToolOperation[]]): McpTool {
  const [first] = operations;
  const { mcp } = first;
  const variants = operations.map((operation) => ({ operation, known: argumentsOf(operation) }));
  const bindings = operations.map((operation) => operation.mcp);
  const readsOnly = bindings.every(({ effects }) => effects === "read");
  const title = mcp.title ?? titleOf(mcp.tool);
  return {
    isCore: mcp.core === true,
    readsOnly,
    listed: {
      name: mcp.tool,
      title,
      description: mcp.description ?? descriptionOf(first),
      inputSchema: inputSchema(variants, mcp),
      annotations: {
        title,
        readOnlyHint: readsOnly,
        destructiveHint: bindings.some(({ effects }) => effects === "destroy"),
        idempotentHint: bindings.every(
          ({ effects, idempotent }) => effects === "read" || idempotent === true,
        ),
        openWorldHint: bindings.some(({ openWorld }) => openWorld === true),
      },
    },
    read: (given) => {
      const { operation, known } = chosen(variants, given);
      const unknown = unknownArguments(variants, given);
      return { operation, input: inputOf(operation, known, { given, unknown }), unknown };
    },
  };
}

interface Variant {
  readonly operation: ToolOperation;
  readonly known: readonly Argument[];
}

/** The operation selected by the arguments, or the only one. */
function chosen(variants: readonly Variant[], given: Readonly<Record<string, unknown>>): Variant {
  const [only, ...others] = variants;
  const argument = only?.operation.mcp.chosenBy?.argument;
  if (only !== undefined && others.length === 0 && argument === undefined) return only;
  const found = variants.find(({ operation: { mcp } }) => mcp.chosenBy?.value === given[argument ?? ""]);
  if (found !== undefined) return found;
  const values = choicesOf(variants).join(", ");
  const message = `${argument} must be one of: ${values}`;
  throw new MemsvcError("invalid_input", message, { issues: [{ path: argument ?? "", message }] });
}

function choicesOf(variants: readonly Variant[]): string[] {
  return variants.flatMap(({ operation }) => operation.mcp.chosenBy?.value ?? []);
}

/** The given arguments that no operation of the tool takes. Models also name those for which they have no value. */
function unknownArguments(variants: readonly Variant[], given: Readonly<Record<string, unknown>>): string[] {
  const names = new Set(
    variants.flatMap(({ operation: { mcp }, known }) => [
      ...known.map(({ name }) => name),
      ...(mcp.chosenBy === undefined ? [] : [mcp.chosenBy.argument]),
    ]),
  );
  return Object.entries(given).flatMap(([name, value]) =>
    names.has(name) || name === "agentId" || value === undefined || value === null || value === ""
      ? []
      : [name],
  );
}

/** Required are the selecting argument, and the arguments that every operation of the tool requires. */
function inputSchema(variants: readonly Variant[], { chosenBy }: McpBinding): Tool["inputSchema"] {
  const properties: Record<string, JsonSchema> = {};
  if (chosenBy !== undefined) {
    properties[chosenBy.argument] = {
      type: "string",
      enum: choicesOf(variants),
      description: variants.map(choiceText).join("; "),
    };
  }
  const listed = variants.flatMap(({ known }) => known.filter(({ declared }) => declared.unlisted !== true));
  for (const name of new Set(listed.map((argument) => argument.name)))
    properties[name] = withoutKeywordsBesideUnion(sharedArgumentSchema(variants, name));
  const needed = Object.keys(properties).filter(
    (name) => name === chosenBy?.argument || variants.every(({ known }) => needs(known, name)),
  );
  return {
    type: "object",
    properties,
    ...(needed.length === 0 ? {} : { required: needed }),
  };
}

function needs(known: readonly Argument[], wanted: string): boolean {
  return known.some(({ name, isRequired }) => name === wanted && isRequired);
}

function choiceText({ operation }: Variant): string {
  return `${operation.mcp.chosenBy?.value}: ${operation.summary}`;
}

/**
 * The schema of an argument that several operations share: takes the values of all of them, and describes its meaning
 * for each.
 */
function sharedArgumentSchema(variants: readonly Variant[], name: string): JsonSchema {
  const uses = variants.flatMap(({ operation: { mcp }, known }) => {
    const argument = known.find((one) => one.name === name);
    return argument === undefined ? [] : [{ ...argument, choice: mcp.chosenBy?.value ?? "" }];
  });
  const [first] = uses.map(({ schema }) => schema);
  if (first === undefined || variants.length === 1) return first ?? {};
  const { default: byDefault, enum: _ofFirst, description: _ofOne, ...shown } = first;
  const values = uses.map(({ schema }) => schema.enum);
  const isDefault =
    uses.length === variants.length && uses.every(({ schema }) => schema.default === byDefault);
  return {
    ...shown,
    ...(values.every((given) => given !== undefined) ? { enum: [...new Set(values.flat())] } : {}),
    description: describedUses(uses, variants.length),
    ...(isDefault && byDefault !== undefined ? { default: byDefault } : {}),
  };
}

/**
 * Moves keywords beside `anyOf` into its first part: Gemini refuses every request that offers a tool with keywords
 * beside `anyOf`.
 */
function withoutKeywordsBesideUnion({ anyOf: [first, ...others] = [], ...beside }: JsonSchema): JsonSchema {
  return typeof first === "object" ? { anyOf: [{ ...first, ...beside }, ...others] } : beside;
}

/**
 * Example: `create (required): what is waited for; list: …`; the description alone if it is the same for all
 * operations.
 */
function describedUses(uses: readonly (Argument & { readonly choice: string })[], all: number): string {
  const choices = groupPairs(
    uses.map(({ choice, isRequired, schema }) => [
      schema.description ?? "",
      isRequired ? `${choice} (required)` : choice,
    ]),
  );
  return [...choices]
    .map(([text, of]) => (of.length === all ? text : `${of.join(", ")}: ${text}`))
    .join("; ");
}

/** Example: `memory_slot_list` becomes "Memory slot list". */
function titleOf(tool: string): string {
  const words = tool.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function descriptionOf({ summary, description }: ToolOperation): string {
  return description === undefined ? `${summary}.` : `${summary}. ${description}`;
}

import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { McpBinding } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
import type { JsonSchema } from "./argument-kind.ts";
import { type Argument, argumentsOf, inputOf, type ToolOperation } from "./arguments.ts";

/** What a call of a tool is: an operation and its input. */
export interface ToolUse {
  readonly operation: ToolOperation;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A tool, made of the operation that declares it, or of the operations that it chooses among. */
export interface McpTool {
  readonly name: string;
  readonly isCore: boolean;
  readonly readsOnly: boolean;
  /** As lists show it. */
  readonly listed: Tool;
  /** What a call with these arguments means. Error: invalid_input. */
  read(given: Readonly<Record<string, unknown>>): ToolUse;
}

/** The tool of the operations that name it. The first tells its title and use; of several each has its `chosenBy`. */
export function toolOf(operations: readonly [ToolOperation, ...ToolOperation[]]): McpTool {
  const [first] = operations;
  const { mcp } = first;
  const variants = operations.map((operation) => ({ operation, known: argumentsOf(operation) }));
  const bindings = operations.map((operation) => operation.mcp);
  const readsOnly = bindings.every(({ effects }) => effects === "read");
  const title = mcp.title ?? titleOf(mcp.tool);
  return {
    name: mcp.tool,
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
      return { operation, input: inputOf(operation, known, given) };
    },
  };
}

interface Variant {
  readonly operation: ToolOperation;
  readonly known: readonly Argument[];
}

/** The operation that the arguments choose; where there is only one, nothing is to be chosen. */
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

/** Needed is what every operation of the tool needs, and what chooses among them. */
function inputSchema(variants: readonly Variant[], { chosenBy }: McpBinding): Tool["inputSchema"] {
  const properties: Record<string, JsonSchema> = {};
  if (chosenBy !== undefined) {
    properties[chosenBy.argument] = {
      type: "string",
      enum: choicesOf(variants),
      description: variants.map(choiceText).join("; "),
    };
  }
  for (const { known } of variants) {
    for (const { name, schema } of known) properties[name] = united(properties[name], schema);
  }
  const needed = Object.keys(properties).filter(
    (name) => name === chosenBy?.argument || variants.every(({ known }) => needs(known, name)),
  );
  return {
    type: "object",
    // JSON schemas, whose type in the protocol's library is any object.
    properties: properties as Record<string, object>,
    ...(needed.length === 0 ? {} : { required: needed }),
  };
}

function needs(known: readonly Argument[], wanted: string): boolean {
  return known.some(({ name, isRequired }) => name === wanted && isRequired);
}

function choiceText({ operation }: Variant): string {
  return `${operation.mcp.chosenBy?.value}: ${operation.summary}`;
}

/** One argument of several operations takes the values of all of them. */
function united(known: JsonSchema | undefined, schema: JsonSchema): JsonSchema {
  if (typeof known !== "object" || typeof schema !== "object") return known ?? schema;
  if (known.enum === undefined || schema.enum === undefined) return known;
  return { ...known, enum: [...new Set([...known.enum, ...schema.enum])] };
}

/** `memory_slot_list`: Memory slot list. */
function titleOf(tool: string): string {
  const words = tool.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function descriptionOf({ summary, description }: ToolOperation): string {
  return description === undefined ? `${summary}.` : `${summary}. ${description}`;
}

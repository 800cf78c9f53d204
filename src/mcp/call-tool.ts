import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Core } from "../core.ts";
import type { Caller, McpBinding } from "../operation/define.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { callToText } from "../operation/in-process.ts";
import { refusalFor } from "./refusal.ts";
import { resultHint } from "./result-hint.ts";
import type { ToolUse } from "./tool.ts";
import { offeredTool, type ToolSet } from "./tools.ts";
import { truncateJson, truncateText } from "./truncate-result.ts";

/** What a tool returned, before it is made a result of the protocol. */
type Outcome =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly list: readonly unknown[]; readonly name: string }
  | { readonly kind: "object"; readonly object: object };

/** Characters that `"truncated":true` takes in a result that was cut. */
const roomForNote = 32;

/**
 * Calls a tool. A refusal by its operation is returned as a result with `isError`. Throws invalid_input for an unknown
 * tool or wrong arguments, and whatever was not foreseen.
 */
export async function callTool(
  core: Core,
  name: string,
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
  set: ToolSet = core.ground.settings,
): Promise<CallToolResult> {
  const { settings } = core.ground;
  const use = offeredTool(name, set).read(given);
  try {
    const asking: Caller = { ...caller, face: "mcp" };
    const answer = await carryOut(core, use, asking);
    const hint = await resultHint({ core, use, caller: asking, set }, answer);
    return resultOf(outcomeOf(answer, use.operation.mcp, hint), settings.mcpMaxResultChars);
  } catch (error) {
    const refusal = refusalFor(set, error);
    if (refusal === undefined) throw error;
    const object = { ...refusal.body, status: refusal.status };
    return { ...resultOf({ kind: "object", object }, settings.mcpMaxResultChars), isError: true };
  }
}

async function carryOut(core: Core, use: ToolUse, caller: Caller): Promise<object> {
  const { operation, input } = use;
  const { mcp } = operation;
  try {
    return operation.runToText === undefined
      ? ((await core.call(operation, input, caller)) as object)
      : await callIfSmall(core, use, caller);
  } catch (error) {
    if (mcp.ifNotFound === undefined || !isMemsvcError(error, "not_found")) throw error;
    return { success: true, ...mcp.ifNotFound };
  }
}

/** Reads a streamed answer; if it exceeds the size of a result, gives the tool's `ifTooLarge` answer instead. */
async function callIfSmall(core: Core, { operation, input }: ToolUse, caller: Caller): Promise<object> {
  const maxBytes = core.ground.settings.mcpMaxResultChars;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of await callToText(core, operation, input, caller)) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > maxBytes && operation.mcp.ifTooLarge !== undefined)
      return { truncated: true, ...(await operation.mcp.ifTooLarge(core)) };
  }
  return JSON.parse(Buffer.concat(pieces).toString()) as object;
}

/** A hint is a field of an object, or the last line of a text. Bare lists stay as they are. */
function outcomeOf(
  answer: object,
  { result, ifEmpty = "", ifAllCut }: McpBinding,
  hint: string | undefined,
): Outcome {
  const part: unknown = result === undefined ? undefined : Reflect.get(answer, result);
  const nothing = typeof ifEmpty === "string" ? ifEmpty : ifEmpty({ ...answer });
  const instead = Reflect.get(answer, "truncated") === true ? (ifAllCut ?? nothing) : nothing;
  if (typeof part === "string") {
    const text = part === "" ? instead : part;
    return { kind: "text", text: hint === undefined ? text : `${text}\nHint: ${hint}` };
  }
  if (Array.isArray(part) && result !== undefined) return { kind: "list", list: part, name: result };
  return { kind: "object", object: hint === undefined ? answer : { ...answer, hint } };
}

/**
 * A text stays plain; everything else becomes JSON text, and also an object for clients that read `structuredContent`.
 */
function resultOf(outcome: Outcome, maxChars: number): CallToolResult {
  switch (outcome.kind) {
    case "text": {
      const text = truncateText(outcome.text, maxChars);
      return { ...textResult(text), ...(text === outcome.text ? {} : { truncated: true }) };
    }
    case "list": {
      const { list, name } = outcome;
      const cut = truncateJson(list, maxChars);
      const note = cut === list ? {} : { truncated: true };
      return { ...textResult(JSON.stringify(cut)), ...note, structuredContent: { [name]: cut, ...note } };
    }
    case "object": {
      const text = JSON.stringify(outcome.object);
      const note = Reflect.get(outcome.object, "truncated") === true ? { truncated: true } : {};
      if (text.length <= maxChars)
        return { ...textResult(text), ...note, structuredContent: { ...outcome.object } };
      const cut = { ...(truncateJson(outcome.object, maxChars - roomForNote) as object), truncated: true };
      return { ...textResult(JSON.stringify(cut)), truncated: true, structuredContent: cut };
    }
  }
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

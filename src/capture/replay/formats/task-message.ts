import { type Fields, textOf } from "../transcript-line.ts";
import { blocksOf, textOfBlocks } from "./blocks.ts";
import {
  asKnown,
  hasKeyedServer,
  type KnownCall,
  type OpenTaskCalls,
  saidWith,
  type TaskCall,
} from "./task-calls.ts";
import { deniedWith, outcomeOfResult } from "./task-outcome.ts";
import { feedbackIn, headedResult, userWordsIn, withoutEnvironment } from "./task-text.ts";
import { saidAndCalled } from "./xml-calls.ts";

/* What the messages of a task of Cline's extension or its offspring tell. */

export type TaskPart =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "prompt"; readonly text: string; readonly images: readonly Fields[] }
  | { readonly kind: "call"; readonly call: KnownCall }
  | { readonly kind: "result"; readonly id: string; readonly outcome: Fields };

/** What the program adds to an answer that it has cut off. */
const interruption = /\[Response interrupted by [^\]]{0,300}\]\s*$/;

/** The parts of a message of the model's. `key` makes the ids of calls that have none. */
export function answerParts(blocks: readonly Fields[], calls: OpenTaskCalls, key: string): TaskPart[] {
  const given = blocks.map(commonBlock);
  const hasOwnCalls = given.some(({ type }) => type === "tool_use");
  return given.flatMap(({ type, text, id, name, input }, at) => {
    if (type === "tool_use") return called({ id: textOf(id), tool: textOf(name), input }, calls);
    if (type !== "text") return [];
    const said = textOf(text).replace(interruption, "");
    if (hasOwnCalls) return said.trim() === "" ? [] : [{ kind: "answer", text: said.trim() }];
    return saidAndCalled(said).flatMap((part, place) =>
      part.kind === "text"
        ? [{ kind: "answer", text: part.text }]
        : called({ id: `${key}:${at}:${place}`, tool: part.name, input: part.input }, calls),
    );
  });
}

function called(call: TaskCall, calls: OpenTaskCalls): TaskPart[] {
  calls.add(call);
  const said = saidWith(call);
  if (said !== undefined) return said.trim() === "" ? [] : [{ kind: "answer", text: said }];
  return hasKeyedServer(call) ? [] : [{ kind: "call", call: asKnown(call) }];
}

/** The parts of a message in the place of the user: results of calls, and what the user wrote. */
export function reportParts(blocks: readonly Fields[], calls: OpenTaskCalls): TaskPart[] {
  const given = blocks.map(commonBlock);
  const parts: TaskPart[] = [];
  /** The heading of a result that is in the next text. */
  let headed: { readonly tool: string; readonly heading: string } | undefined;
  for (const { type, text, tool_use_id: id, content, is_error: isError } of given) {
    if (type === "tool_result") {
      const result = withoutEnvironment(textOfBlocks(content));
      const { heading = "", result: own = result } = headedResult(result) ?? {};
      parts.push(...ended(calls.take(id), { heading, result: own, isError: isError === true }));
    }
    const told = type === "text" ? withoutEnvironment(textOf(text)) : "";
    if (told.trim() === "") continue;
    const result = headedResult(told);
    if (result?.result === "") headed = result;
    else if (result !== undefined) parts.push(...ended(calls.takeOf(result.tool), result));
    else if (headed !== undefined) {
      parts.push(...ended(calls.takeOf(headed.tool), { heading: headed.heading, result: told }));
      headed = undefined;
    } else parts.push(...programsText(told, calls));
  }
  return withImages(parts, given);
}

interface Result {
  readonly heading: string;
  readonly result: string;
  readonly isError?: boolean;
}

function ended(call: TaskCall | undefined, { heading, result, isError = false }: Result): TaskPart[] {
  if (call === undefined || saidWith(call) !== undefined)
    return promptOf(userWordsIn(result) ?? deniedWith(result));
  const { id } = call;
  return [
    ...(hasKeyedServer(call) ? [{ kind: "call" as const, call: asKnown(call, heading) }] : []),
    { kind: "result", id, outcome: outcomeOfResult(result, isError) },
    ...promptOf(feedbackIn(result) ?? deniedWith(result)),
  ];
}

const notExecuted = /^Tool \[([\w-]{1,200})\] was not executed/;

function programsText(text: string, calls: OpenTaskCalls): TaskPart[] {
  const tool = notExecuted.exec(text)?.[1];
  const call = tool === undefined ? undefined : calls.takeOf(tool);
  return call === undefined
    ? promptOf(userWordsIn(text))
    : [{ kind: "result", id: call.id, outcome: { error: text } }];
}

function promptOf(text: string | undefined): TaskPart[] {
  return text === undefined || text.trim() === "" ? [] : [{ kind: "prompt", text, images: [] }];
}

/** Images go with what the user wrote, unless a call may have made them. */
function withImages(parts: readonly TaskPart[], blocks: readonly Fields[]): TaskPart[] {
  const images = blocks.filter(({ type }) => type === "image");
  if (images.length === 0 || parts.some(({ kind }) => kind === "result")) return [...parts];
  const first = parts.findIndex(({ kind }) => kind === "prompt");
  return parts.map((part, at) => (part.kind === "prompt" && at === first ? { ...part, images } : part));
}

/** A block in the form of Anthropic's API; for some time Roo Code had that of Vercel's AI SDK. */
function commonBlock(block: Fields): Fields {
  const { type, toolCallId: id, toolName: name, input, output } = block;
  if (type === "tool-call") return { type: "tool_use", id, name, input };
  if (type !== "tool-result") return block;
  const { type: kind, value } = blocksOf([output])[0] ?? { type: "text", value: output };
  const content = typeof value === "string" || Array.isArray(value) ? value : JSON.stringify(value ?? "");
  return { type: "tool_result", tool_use_id: id, content, is_error: String(kind).startsWith("error") };
}

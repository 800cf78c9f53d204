import { isObject } from "../../json/is-object.ts";
import { parseJson } from "../../json/parse-json.ts";
import { parseTime } from "../../operation/fields.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A line of a transcript that Claude Code writes, as far as it is known. */
export interface TranscriptLine {
  readonly fields: Fields;
  /** `user`, `assistant`, and kinds that tell nothing of the conversation. */
  readonly type: string;
  readonly uuid: string | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  /** Milliseconds since 1970, UTC. */
  readonly timestamp: number | undefined;
  /** Text, images, tool calls and their results; a text alone is one block. */
  readonly blocks: readonly Fields[];
}

/** Reads a line; undefined when it is no JSON object. */
export function readTranscriptLine(text: string): TranscriptLine | undefined {
  const read = parsedObject(text);
  if (read === undefined) return undefined;
  const fields = asSaid(read);
  const { timestamp } = fields;
  return {
    fields,
    type: textOf(fields.type),
    uuid: shortText(fields.uuid, 256),
    sessionId: shortText(fields.sessionId, 256),
    cwd: shortText(fields.cwd, 4_096),
    timestamp: typeof timestamp === "string" ? parseTime(timestamp) : undefined,
    blocks: blocksOf(objectOf(fields.message).content),
  };
}

/**
 * What is typed while a turn runs, and goes into it, stands in an attachment and nowhere else: the same line as one of
 * the user's.
 */
function asSaid(fields: Fields): Fields {
  const { type, prompt, commandMode, isMeta, origin } = objectOf(fields.attachment);
  if (fields.type !== "attachment" || type !== "queued_command") return fields;
  const message = { role: "user", content: prompt };
  return { ...fields, type: "user", message, isMeta, origin: origin ?? { kind: commandMode } };
}

function parsedObject(text: string): Fields | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    // The last line of a transcript that is being written may be half a line; its reader counts such lines.
    return undefined;
  }
}

/** The blocks of a message's content. */
function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map(objectOf) : [];
}

export function objectOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function shortText(value: unknown, maxLength: number): string | undefined {
  return typeof value === "string" && value.trim() !== "" && value.length <= maxLength ? value : undefined;
}

/** What a tool answered: a failure its text, a success its result, in the tool's own shape where the line has it. */
export function outcomeOf(result: Fields, toolUseResult: unknown): Fields {
  if (result.is_error !== true) return { tool_response: toolUseResult ?? result.content };
  const error = blocksOf(result.content)
    .map(({ text }) => textOf(text))
    .join("\n");
  return { error, is_interrupt: toolUseResult === "User rejected tool use" };
}

/** Whether a text in the user's place tells that the user broke the turn off. */
export function isInterruption(text: string): boolean {
  return text.startsWith("[Request interrupted by user");
}

/** Whose words are the user's: typed here, or while a turn ran, or sent through a channel. */
const usersOrigins: ReadonlySet<unknown> = new Set([undefined, "human", "prompt", "bash", "channel"]);

/** Whether a line in the user's place was written by the user, and not by the program itself or another agent. */
export function isFromUser({ isMeta, isCompactSummary, promptSource, origin }: Fields): boolean {
  if (isMeta === true || isCompactSummary === true || promptSource === "system") return false;
  return usersOrigins.has(objectOf(origin).kind);
}

/** Whether the program, and no model, wrote a line in the assistant's place, as it does where no model answers. */
export function isFromProgram({ isApiErrorMessage, message }: Fields): boolean {
  return isApiErrorMessage === true || objectOf(message).model === "<synthetic>";
}

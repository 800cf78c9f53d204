import { isObject } from "../../json/is-object.ts";
import { isText } from "../../json/is-text.ts";
import { parseJson } from "../../json/parse-json.ts";
import { parseTime } from "../../operation/fields.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A line of a transcript in Claude Code's form, as far as that is known. */
export interface TranscriptLine {
  readonly fields: Fields;
  /** `user`, `assistant`, or kinds that are no part of the conversation. */
  readonly type: string;
  readonly uuid: string | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  /** The session that this line was copied from, when a conversation was forked. */
  readonly copiedFrom: string | undefined;
  /** Whether the copy has its own time instead of that of what it copies. */
  readonly isRetimed: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly timestamp: number | undefined;
  /** Text, images, tool calls and their results; a plain text is one block. */
  readonly blocks: readonly Fields[];
}

/** Parses a line of Claude Code; undefined when it is no JSON object. */
export function readTranscriptLine(text: string): TranscriptLine | undefined {
  const fields = parsedLine(text);
  return fields === undefined ? undefined : transcriptLine(fields);
}

export function transcriptLine(read: Fields): TranscriptLine {
  const fields = asSaid(read);
  const { timestamp } = fields;
  const forkedFrom = objectOf(fields.forkedFrom);
  return {
    fields,
    type: textOf(fields.type),
    uuid: shortText(fields.uuid, 256),
    sessionId: shortText(fields.sessionId, 256),
    cwd: shortText(fields.cwd, 4_096),
    copiedFrom: shortText(forkedFrom.sessionId, 256),
    isRetimed: forkedFrom.isRetimed === true,
    timestamp: typeof timestamp === "string" ? parseTime(timestamp) : undefined,
    blocks: blocksOf(objectOf(fields.message).content),
  };
}

/**
 * A prompt that is typed while a turn runs is only written as an attachment; it is turned into a line of the
 * user's.
 */
function asSaid(fields: Fields): Fields {
  const { type, prompt, commandMode, isMeta, origin } = objectOf(fields.attachment);
  if (fields.type !== "attachment" || type !== "queued_command") return fields;
  const message = { role: "user", content: prompt };
  return { ...fields, type: "user", message, isMeta, origin: origin ?? { kind: commandMode } };
}

/** The object in a line of a transcript; undefined when it is no JSON object. */
export function parsedLine(text: string): Fields | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    // The last line of a transcript that is being written may be incomplete; the caller counts such lines.
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
  return isText(value) && value.length <= maxLength ? value : undefined;
}

/**
 * The outcome of a tool call: for a failure its text, for a success the result, in the tool's own form if the
 * line has it. Lines that were translated from another agent's have it as its hooks report it.
 */
export function outcomeOf(result: Fields, toolUseResult: unknown): Fields {
  if (isObject(result.outcome)) return result.outcome;
  if (result.is_error !== true) return { tool_response: toolUseResult ?? result.content };
  const error = blocksOf(result.content)
    .map(({ text }) => textOf(text))
    .join("\n");
  return { error, is_interrupt: toolUseResult === "User rejected tool use" };
}

const commandMessage = String.raw`(?:<command-message>[^<]*</command-message>\s*)?`;
const commandTags = new RegExp(
  String.raw`^${commandMessage}<command-name>(/[^<\s]+)</command-name>\s*${commandMessage}(?:<command-args>([^]*)</command-args>\s*)?$`,
);

/** A command as the user typed it, and as hooks are told it; the line has its name and arguments in tags. */
export function typedCommand(text: string): string | undefined {
  const [, name, given = ""] = commandTags.exec(text) ?? [];
  return name === undefined ? undefined : `${name} ${given}`.trim();
}

/** Whether a text in a user's line says that the user interrupted the turn. */
export function isInterruption(text: string): boolean {
  return text.startsWith("[Request interrupted by user");
}

/** Origins of text that the user wrote: typed as a prompt, typed during a turn, or sent through a channel. */
const usersOrigins: ReadonlySet<unknown> = new Set([undefined, "human", "prompt", "bash", "channel"]);

/** Whether the user wrote a user's line, and not the program itself or another agent. */
export function isFromUser({ isMeta, isCompactSummary, promptSource, origin }: Fields): boolean {
  if (isMeta === true || isCompactSummary === true || promptSource === "system") return false;
  return usersOrigins.has(objectOf(origin).kind);
}

/** Whether the program itself wrote an assistant's line, which it does when no model answers. */
export function isFromProgram({ isApiErrorMessage, message }: Fields): boolean {
  return isApiErrorMessage === true || objectOf(message).model === "<synthetic>";
}

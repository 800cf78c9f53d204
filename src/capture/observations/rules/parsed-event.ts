import { cutCodePoints, tailOf } from "../../../text/code-points.ts";
import { cutText } from "../../../text/cut.ts";
import { withoutTerminalEscapes } from "../../../text/terminal-escapes.ts";
import { withPathsFrom } from "../calls/file-paths.ts";
import type { InputParts } from "../calls/tool-input.ts";
import { isConversationTool } from "../calls/tool-kind.ts";
import { onlyShowsSource, programsOf } from "../commands/command-kind.ts";
import { type EventType, eventType } from "../event-type.ts";
import { errorLines, mostErrorLines } from "../outputs/error-lines.ts";
import { firstTellingLine, plainText } from "../outputs/output-lines.ts";
import { tellsNoProblem } from "../outputs/refusals.ts";
import { type Event, type PickedFields, pickUpFields } from "../pick-up-fields.ts";
import { isAgentNote, textOfNote, wordsOfUser } from "../prose/agent-notes.ts";

/**
 * Everything that the rules read from an event, computed once and shared by title, facts, concepts and
 * importance.
 */
export interface ParsedEvent {
  readonly event: Event;
  readonly picked: PickedFields;
  readonly type: EventType;
  /** The prompt as sent, whether or not the user wrote it. */
  readonly prompt: string | undefined;
  /** The prompt without agents' notes; if it is nothing but a note, the note's content. */
  readonly said: string | undefined;
  /** Whether the user wrote nothing of the prompt. */
  readonly isNote: boolean;
  /** The assistant's text. */
  readonly answer: string | undefined;
  /** The tool's output without terminal escapes; for an error without output the error's text. */
  readonly output: string;
  /** At most 3. */
  readonly errorLines: readonly string[];
}

// Longer texts are stored cut to this length (64 KiB); as much is read, of an output also its end.
const longestText = 65_536;
const readOfEnd = 16_384;
// The output of these tools quotes files: the word "error" in it is no error of the tool.
const quotingTypes: ReadonlySet<EventType> = new Set(["file_read", "file_write", "file_edit", "search"]);

/** Picks the fields of an event and reads from them what the rules need. */
export function parseEvent(event: Event, picked: PickedFields = pickUpFields(event)): ParsedEvent {
  const type = eventType(event, picked);
  const error = picked.error === undefined ? undefined : plainText(readPart(picked.error));
  const ownOutput = plainText(readPart(picked.outputText));
  const isTalk =
    type === "conversation" && (isConversationTool(picked.toolName) || picked.toolName === undefined);
  const output = ownOutput === "" ? (error ?? "") : ownOutput;
  const { userPrompt, assistantResponse } = picked;
  const prompt =
    userPrompt === undefined ? undefined : withoutTerminalEscapes(cutText(userPrompt, longestText));
  const isNote = prompt !== undefined && isAgentNote(prompt);
  return {
    event,
    picked,
    type,
    prompt,
    said: prompt === undefined ? undefined : isNote ? textOfNote(prompt) : wordsOfUser(prompt),
    isNote,
    answer:
      assistantResponse === undefined
        ? undefined
        : withoutTerminalEscapes(cutCodePoints(assistantResponse, longestText)),
    output,
    errorLines:
      isTalk || quotingTypes.has(type) || isShown(type, picked)
        ? []
        : errorLinesOf(type, error, ownOutput, picked.input).map((line) => withPathsFrom(event.cwd, line)),
  };
}

function readPart(text: string): string {
  if (cutCodePoints(text, longestText).length === text.length) return text;
  return `${cutCodePoints(text, longestText - readOfEnd)}\n${tailOf(text, readOfEnd)}`;
}

/** Whether the output is that of a shell's `cat`, `grep` and the like, which quotes files, too. */
function isShown(type: EventType, { input, exitCode = 0 }: PickedFields): boolean {
  return type === "command_run" && exitCode === 0 && onlyShowsSource(input.command ?? "");
}

function errorLinesOf(
  type: EventType,
  error: string | undefined,
  output: string,
  { command }: InputParts,
): string[] {
  // Below a refusal or a wrong call of the agent are what the user said, or quoted source.
  const [first = ""] = error?.split("\n", 1) ?? [];
  if (tellsNoProblem(first)) return [first.trim()];
  const lines = error === undefined ? [] : errorLines(error);
  if (lines.length < mostErrorLines) {
    for (const line of errorLines(output))
      if (lines.length < mostErrorLines && !lines.includes(line)) lines.push(line);
  }
  if (lines.length > 0 || type !== "error") return lines;
  const line = firstTellingLine(error ?? output, command === undefined ? [] : programsOf(command));
  return line === "" ? [] : [line];
}

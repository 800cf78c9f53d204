import { isText } from "../../../json/is-text.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { blocksOf, textOfBlocks } from "./blocks.ts";
import { callLine, resultLine, sessionLine, summaryLine, textLine } from "./lines.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/*
 * The transcripts of Pi: a tree of entries `{type, id, parentId, timestamp}`, in the order in which they were made.
 * Calls and their ends are given the form in which the plugin for Pi reports them.
 */

export const pi: TranscriptFormat = {
  agent: "pi",
  recognises: ({ type, id, cwd }) => type === "session" && isText(id) && isText(cwd),
  translator: () => lines,
};

function lines({ type, id, cwd, timestamp, message, summary }: Fields): readonly Fields[] {
  if (type === "session") return [sessionLine({ sessionId: id, cwd, timestamp })];
  if (type === "compaction") return summaryLine(summary, { timestamp, uuid: id });
  if (type !== "message") return [];
  const { role, content, toolCallId, isError } = objectOf(message);
  const facts = { timestamp, uuid: id };
  if (role === "user") return textLine("user", textOfBlocks(content), facts);
  if (role === "toolResult") return [resultLine(toolCallId, outcomeOf(content, isError), facts)];
  return role === "assistant"
    ? blocksOf(content).flatMap((block, at) => blockLines(block, `${textOf(id)}:${at}`, timestamp))
    : [];
}

function blockLines({ type, text, id, name, arguments: args }: Fields, uuid: string, timestamp: unknown) {
  const facts = { timestamp, uuid };
  if (type === "text") return textLine("assistant", text, facts);
  return type === "toolCall" ? [callLine({ id, name, input: inputOf(args) }, facts)] : [];
}

/** Pi lists the places that an edit changes, mostly one. */
function inputOf(args: unknown): unknown {
  const { edits, ...rest } = objectOf(args);
  const [only, second] = blocksOf(edits);
  return only !== undefined && second === undefined ? { ...rest, ...only } : args;
}

const commandEnd = /\n\nCommand exited with code (-?\d{1,10})$/;

function outcomeOf(content: unknown, isError: unknown): Fields {
  const isPlain = blocksOf(content).every(({ type }) => type === "text");
  const said = isPlain ? textOfBlocks(content) : content;
  if (isError !== true) return { tool_response: said };
  const end = isText(said) ? commandEnd.exec(said) : null;
  if (!isText(said) || end === null) return { error: said };
  const printed = said.slice(0, end.index).trimEnd();
  return { error: printed === "(no output)" ? `Exit code ${end[1]}` : printed, exitCode: Number(end[1]) };
}

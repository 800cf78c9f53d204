import { isAbsolute } from "../../../paths/path-text.ts";
import { type Fields, textOf } from "../transcript-line.ts";
import { blocksOf } from "./blocks.ts";

/*
 * The texts that Cline's extension and its offspring put into messages of the user: what the user wrote is in tags, the
 * results of calls follow a heading, and the state of the editor is in a tag at the end.
 */

const environmentStart = "<environment_details>";
const environmentEnd = "</environment_details>";

/** A text without the state of the editor at its end. */
export function withoutEnvironment(text: string): string {
  if (!text.trimEnd().endsWith(environmentEnd)) return text;
  const start = text.lastIndexOf(environmentStart);
  return start < 0 ? text : text.slice(0, start);
}

const folder = /^# Current (?:Working|Workspace) Directory \((.{1,4096})\) Files$/m;

/** The folder that messages name as the one that the program works in; undefined if none does. */
export function folderToldIn(messages: readonly Fields[]): string | undefined {
  for (const { role, content } of messages) {
    if (role !== "user") continue;
    for (const { text } of blocksOf(typeof content === "string" ? [{ text: content }] : content)) {
      const start = textOf(text).lastIndexOf(environmentStart);
      const found = start < 0 ? undefined : folder.exec(textOf(text).slice(start))?.[1];
      if (found !== undefined && isAbsolute(found)) return found;
    }
  }
  return undefined;
}

const userTag = /(?:^|\n)<(task|user_message|feedback|answer)>/g;

/** What the user wrote in a text; undefined if it is the program's own. */
export function userWordsIn(text: string): string | undefined {
  const unclosed = new Set<string>();
  for (const { 0: whole, 1: tag = "", index } of text.matchAll(userTag)) {
    if (unclosed.has(tag)) continue;
    const start = index + whole.length;
    const end = text.indexOf(`</${tag}>`, start);
    if (end >= 0) return withoutLineBreaks(text.slice(start, end));
    unclosed.add(tag);
  }
  return undefined;
}

/** A text without the line break at its start and the one at its end. */
export function withoutLineBreaks(text: string): string {
  return text.replace(/^\n|\n$/g, "");
}

/** What the user wrote when approving or denying a call, or while it ran, at the end of its result. */
export function feedbackIn(result: string): string | undefined {
  const start = Math.max(result.lastIndexOf("<feedback>"), result.lastIndexOf("<user_message>"));
  // Only the line before the tag tells a file's content from the program's own words.
  const before = result.slice(result.lastIndexOf("\n", Math.max(0, start - 2)) + 1, Math.max(0, start));
  if (!before.endsWith("\n") || !/provided|feedback|:/.test(before)) return undefined;
  const [tag, end] = result.startsWith("<feedback>", start)
    ? ["<feedback>", "</feedback>"]
    : ["<user_message>", "</user_message>"];
  const told = result.slice(start + tag.length).trimEnd();
  return told.endsWith(end) ? withoutLineBreaks(told.slice(0, -end.length)) : undefined;
}

const heading = /^\[([\w-]{1,200})(?:[ .][\s\S]*?)?\] Result:(?:\n|$)/;

interface HeadedResult {
  readonly tool: string;
  /** The words of the heading, which for MCP tools name their server. */
  readonly heading: string;
  /** Blank if it is in the next text. */
  readonly result: string;
}

/** The result of a call that a text tells under a heading. */
export function headedResult(text: string): HeadedResult | undefined {
  const [whole, tool] = heading.exec(text) ?? [];
  return whole === undefined || tool === undefined
    ? undefined
    : { tool, heading: whole, result: text.slice(whole.length) };
}

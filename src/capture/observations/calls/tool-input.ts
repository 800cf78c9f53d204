import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { oneLine } from "../../../text/cut.ts";
import { firstPresent, recordIn, textOf } from "./json-text.ts";
import { planLine } from "./plan.ts";

/** The parts of a tool's input that the rules know. */
export interface InputParts {
  command?: string;
  pattern?: string;
  url?: string;
  oldText?: string;
  newText?: string;
  description?: string;
}

const partKeys: Readonly<Record<keyof InputParts, readonly string[]>> = {
  command: ["command", "cmd", "script", "code"],
  pattern: ["pattern", "query", "regex", "glob"],
  url: ["url", "uri", "href"],
  oldText: ["old_string", "oldString", "old_str", "oldText"],
  newText: ["new_string", "newString", "new_str", "newText", "content"],
  description: ["description", "prompt"],
};
const parts = ["command", "pattern", "url", "oldText", "newText", "description"] as const;
const valueParts = ["command", "pattern", "url"] as const;
const longestJsonInput = 65_536;

/** Parses an input that arrives as JSON text (MCP calls of some agents). */
export function parsedInput(toolInput: unknown): unknown {
  if (typeof toolInput !== "string" || toolInput.length > longestJsonInput) return toolInput;
  return recordIn(toolInput) ?? toolInput;
}

/**
 * Picks the known parts of a tool's input. A string is the value itself: the command, pattern or url,
 * whichever the tool takes. Old and new text are also found in the first of several `edits`.
 */
export function inputPartsOf(toolInput: unknown): InputParts {
  const picked: InputParts = {};
  const input = parsedInput(toolInput);
  if (isText(input)) {
    for (const part of valueParts) picked[part] = input;
  }
  if (!isObject(input)) return picked;
  const edits: unknown = input.edits;
  const firstEdit: unknown = Array.isArray(edits) ? edits[0] : undefined;
  const sources = isObject(firstEdit) ? [input, firstEdit] : [input];
  for (const part of parts) {
    const value = firstPresent(sources, partKeys[part]);
    if (value !== undefined) picked[part] = part === "command" ? commandText(value) : textOf(value);
  }
  return picked;
}

// `["bash", "-lc", "npm test"]` is the command `npm test`; other lists are the words of a command.
function commandText(value: unknown): string {
  if (!Array.isArray(value)) return textOf(value);
  const words = value.map(textOf);
  const viaShell = /(?:^|\/)(?:ba|z|da|)sh$/.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "");
  return viaShell ? words.slice(2).join(" ") : words.join(" ");
}

/** The values of a tool's input, one per line, at most `maxLength` characters. */
export function inputText(toolInput: unknown, maxLength: number): string {
  const input = parsedInput(toolInput);
  const values = isObject(input) ? Object.values(input) : [input];
  return values
    .map((value) => textOf(value).slice(0, maxLength))
    .join("\n")
    .slice(0, maxLength);
}

/**
 * A tool's input on one line of at most `maxLength` code points: a plan, its only value that is not blank, or
 * `key: value, key: value`.
 */
export function inputLine(toolInput: unknown, maxLength: number): string {
  const input = parsedInput(toolInput);
  if (!isObject(input)) return oneLine(textOf(input), maxLength);
  const plan = planLine(input);
  if (plan !== undefined) return oneLine(plan, maxLength);
  const entries = Object.entries(input).filter(([, value]) => typeof value !== "string" || isText(value));
  const only = entries[0];
  if (entries.length === 1 && only !== undefined) return oneLine(textOf(only[1]), maxLength);
  const line: string[] = [];
  let length = 0;
  for (const [key, value] of entries) {
    const shown = `${key}: ${oneLine(typeof value === "object" ? JSON.stringify(value) : textOf(value), maxLength)}`;
    line.push(shown);
    length += shown.length;
    if (length > maxLength * 2) break;
  }
  return oneLine(line.join(", "), maxLength);
}

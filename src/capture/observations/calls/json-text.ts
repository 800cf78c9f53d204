import { isContainer, isObject } from "../../../json/is-object.ts";
import { parseJson } from "../../../json/parse-json.ts";

/** Reads JSON of unknown shape: whether it is empty or an object, and the text in it. */

const deepestText = 6;
// Where agents put the readable part of a tool's result (Claude Code, Codex, Gemini CLI, MCP content blocks).
const textKeys = [
  "text",
  "content",
  "output",
  "result",
  "results",
  "llmContent",
  "message",
  "prompt",
  "file",
  "task",
  "question",
  "plan",
] as const;

/** Parses a text that is a JSON object; undefined for any other text, and for one that is nested too deep. */
export function recordIn(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  const value = storableIn(text);
  return isObject(value) ? value : undefined;
}

/** Parses a text that is a JSON list of content blocks, as some extensions send an output; undefined for any other. */
export function contentBlocksIn(text: string): readonly unknown[] | undefined {
  if (!startOfBlocks.test(text)) return undefined;
  const value = storableIn(text);
  return Array.isArray(value) ? value : undefined;
}

const startOfBlocks = /^\s{0,9}\[\s{0,9}\{\s{0,9}"(?:type|text)"\s{0,9}:/;

function storableIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // Plain text that only begins like JSON, or JSON that could not be stored.
    return undefined;
  }
}

/** Whether a value carries nothing: absent, null, false, blank text, `[]` or `{}`. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** The value of the first key that is present and not empty. */
export function firstPresent(sources: readonly Record<string, unknown>[], keys: readonly string[]): unknown {
  for (const source of sources) {
    for (const key of keys) {
      if (Object.hasOwn(source, key) && !isEmpty(source[key])) return source[key];
    }
  }
  return undefined;
}

/**
 * The readable text of a value: a string, joined content blocks, standard output and error, or else its JSON.
 */
export function textOf(value: unknown): string {
  return ownText(value) ?? (isEmpty(value) ? "" : JSON.stringify(value));
}

/** The text in a value; undefined for an object without any of the usual text fields. */
export function ownText(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (depth >= deepestText) return undefined;
  if (Array.isArray(value)) {
    const parts = value.map(
      (item: unknown) => ownText(item, depth + 1) ?? (isObject(item) ? JSON.stringify(item) : ""),
    );
    return parts.filter((part) => part !== "").join("\n");
  }
  if (!isObject(value)) return undefined;
  if (isShownFile(value)) return "";
  const streams = [value.stdout, value.stderr].filter((stream) => typeof stream === "string");
  if (streams.length > 0) return streams.filter((stream) => stream !== "").join("\n");
  // The user's choices, by question.
  if (isObject(value.answers) && Array.isArray(value.questions))
    return ownText(Object.values(value.answers), depth + 1);
  for (const key of textKeys) {
    if (isEmpty(value[key])) continue;
    const text = ownText(value[key], depth + 1);
    if (text !== undefined && text !== "") return text;
  }
  return namesText(value) ?? linkText(value);
}

/** The files that a search found, as Claude Code's tools answer with: one a line. */
function namesText({ filenames }: Record<string, unknown>): string | undefined {
  return Array.isArray(filenames)
    ? filenames.filter((name) => typeof name === "string").join("\n")
    : undefined;
}

/**
 * An image or a document that was shown to the agent, which has no text: the result of reading it, or a content block.
 */
function isShownFile({ type, file, source, data }: Record<string, unknown>): boolean {
  if (type !== "image" && type !== "pdf") return false;
  const holder = [file, source].find(isObject);
  return typeof (holder?.base64 ?? holder?.data ?? data) === "string";
}

/** A link, as web searches answer with: its title and address. */
function linkText({ title, url }: Record<string, unknown>): string | undefined {
  return typeof title === "string" && typeof url === "string" ? `${title} ${url}`.trim() : undefined;
}

/** Keys that agents send with every event, whatever it reports: ids, paths, model. */
const envelopeKey = /(?:id|path|mode|version|model|effort|email|roots|client_type|session_title)$/i;

/** The first text that is not blank anywhere in a value, skipping the keys of every event. */
export function firstTextIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (!isContainer(value) || depth >= deepestText) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (envelopeKey.test(key)) continue;
    const text = firstTextIn(item, depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

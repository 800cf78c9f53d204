/*
 * Values that come as text, in query strings and flags. What they must be is the schema's business.
 */

/** What a field wants when its value comes as text. */
export type TextKind = "boolean" | "number" | "list" | "object" | "json" | "text" | "textOrNull";

/**
 * A text as the value that its field wants; what does not fit stays text, for the schema to refuse. Of booleans
 * only `true` is true and all else false, but a slip in `dryRun` must never delete anything.
 */
export function valueFromText(field: string, kind: TextKind, text: string): unknown {
  if (kind === "boolean") return text === "true" || (field === "dryRun" && text !== "false" ? text : false);
  if (kind === "list") return text.split(",").map((item) => item.trim());
  if (kind === "object") return objectIn(text);
  if (kind === "json") return jsonIn(text);
  if (kind === "textOrNull") return text === "null" ? null : text;
  if (kind !== "number") return text;
  const trimmed = text.trim();
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
}

function objectIn(text: string): object | string {
  const value = jsonIn(text);
  return typeof value === "object" && value !== null ? value : text;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON stays text.
    return text;
  }
}

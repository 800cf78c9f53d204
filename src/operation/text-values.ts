import { isContainer } from "../json/is-object.ts";

/* Values that come as text, in query strings and flags. They are only converted here; the schema validates them. */

/** How the value of a field is written as text. */
export type TextKind = "boolean" | "number" | "list" | "object" | "json" | "text" | "textOrNull" | "time";

/**
 * Converts a text for its field; a text that does not fit stays text, and the schema refuses it. A boolean is true only
 * for `true`, and otherwise false; but a typo in `dryRun` must never delete anything, so there anything but `true` and
 * `false` is left for the schema to refuse.
 */
export function valueFromText(field: string, kind: TextKind, text: string): unknown {
  if (kind === "boolean") return text === "true" || (field === "dryRun" && text !== "false" ? text : false);
  if (kind === "list") return text.split(",").map((item) => item.trim());
  if (kind === "object") return objectIn(text);
  if (kind === "json") return jsonIn(text);
  if (kind === "textOrNull") return text === "null" ? null : text;
  return kind === "number" ? (numberIn(text) ?? text) : text;
}

const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/** The number in a text; undefined for other texts, also for numbers that are not decimal, such as `0x10`. */
export function numberIn(text: string): number | undefined {
  const trimmed = text.trim();
  const value = decimalNumber.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function objectIn(text: string): object | string {
  const value = jsonIn(text);
  return isContainer(value) ? value : text;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: stays text.
    return text;
  }
}

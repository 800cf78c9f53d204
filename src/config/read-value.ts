import { oneOf } from "../operation/describe-issue.ts";
import { cutCodePoints } from "../text/code-points.ts";
import type {
  BooleanSetting,
  ListSetting,
  NumericSetting,
  SettingDefinition,
  TextSetting,
} from "./setting.ts";
import { hasUnexpandedVariable } from "./unexpanded-variable.ts";
import { type FormatRule, valueFormats } from "./value-formats.ts";

export type SettingValue = string | number | boolean | readonly string[];

/**
 * `problem` is the rest of a sentence that begins with the setting's name. It never contains a secret or an address.
 */
type ReadValue =
  | { readonly kind: "value"; readonly value: SettingValue; readonly warning?: string }
  | { readonly kind: "unset"; readonly warning?: string }
  | { readonly kind: "invalid"; readonly problem: string };

const longestShown = 16;
const noControlCharacters = "must not hold control characters";

/** Parses the text of one setting as its declaration says, ignoring surrounding white space. */
export function readValue(
  definition: SettingDefinition,
  raw: string,
  origin: "flag" | "environment" | "file" = "file",
): ReadValue {
  const text = raw.trim();
  if (text === "") return { kind: "unset" };
  switch (definition.kind) {
    case "string":
    case "secret":
      return readText(definition, text, origin === "environment");
    case "boolean":
      return readBoolean(text, definition);
    case "integer":
    case "number":
      return readNumber(definition, text);
    case "enum":
      return definition.values.includes(text)
        ? { kind: "value", value: text }
        : { kind: "invalid", problem: `must be ${oneOf(definition.values)}, not ${quoted(text)}` };
    case "list":
      return readList(definition, text);
  }
}

function readText(definition: TextSetting, text: string, isFromLauncher: boolean): ReadValue {
  if (isFromLauncher && definition.unexpandedIsUnset && hasUnexpandedVariable(text)) {
    return { kind: "unset", warning: "holds a variable that was not expanded, and counts as unset" };
  }
  const format = definition.format && valueFormats[definition.format];
  const { maxLength, isShared } = definition;
  const problem = problemOf(text, format);
  if (problem !== undefined)
    return isShared
      ? { kind: "unset", warning: `${problem}, and counts as unset` }
      : { kind: "invalid", problem };
  const spelled = format?.spelled?.(text) ?? text;
  return { kind: "value", value: maxLength === undefined ? spelled : cutCodePoints(spelled, maxLength) };
}

function problemOf(text: string, format: FormatRule | undefined): string | undefined {
  if (hasControlCharacter(text)) return noControlCharacters;
  return format === undefined || format.accepts(text) ? undefined : `must be ${format.wanted}`;
}

function readBoolean(text: string, { alsoTrue, unlessFalse }: BooleanSetting): ReadValue {
  if (unlessFalse) return { kind: "value", value: text !== "false" };
  const value = text === "true" || text === alsoTrue;
  if (value || text === "false") return { kind: "value", value };
  return { kind: "value", value, warning: "is neither true nor false, and counts as false" };
}

function readNumber(definition: NumericSetting, text: string): ReadValue {
  const whole = definition.kind === "integer";
  const pattern = whole ? /^[+-]?[0-9]+$/ : /^[+-]?[0-9.]+$/;
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  if (value >= definition.min && value <= definition.max) return { kind: "value", value };
  const wanted = `a ${whole ? "whole " : ""}number from ${definition.min} to ${definition.max}`;
  return { kind: "invalid", problem: `must be ${wanted}, not ${quoted(text)}` };
}

function readList(definition: ListSetting, text: string): ReadValue {
  if (hasControlCharacter(text)) return { kind: "invalid", problem: noControlCharacters };
  const items = new Set<string>();
  for (const part of text.split(",")) {
    const item = part.trim();
    if (item !== "") items.add(item);
  }
  const format = definition.format && valueFormats[definition.format];
  for (const item of items) {
    if (format && !format.accepts(item))
      return { kind: "invalid", problem: `must list ${format.wanted}, for each item` };
    if (definition.values && !definition.values.includes(item)) {
      return { kind: "invalid", problem: `may list ${oneOf(definition.values)}, not ${quoted(item)}` };
    }
  }
  const spelled = new Set([...items].map((item) => format?.spelled?.(item) ?? item));
  return spelled.size === 0 ? { kind: "unset" } : { kind: "value", value: [...spelled] };
}

function hasControlCharacter(text: string): boolean {
  return /[\u0000-\u001f\u007f]/.test(text);
}

/** A wrong value for messages: on one line, and shortened, in case it is a key that was pasted into the wrong place. */
function quoted(text: string): string {
  return JSON.stringify(text.length > longestShown ? `${text.slice(0, 12)}…` : text);
}

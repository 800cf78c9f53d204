import { headOf, lengthOf } from "../../text/cut.ts";
import type { Event, PickedFields } from "./pickup.ts";

/** The event as it is kept beside its compressed form: nothing that was sent is lost but the end of huge strings. */
export interface RawEvent {
  hookType: string;
  toolName?: string;
  toolInput?: unknown;
  toolOutput?: unknown;
  userPrompt?: string;
  assistantResponse?: string;
  error?: string;
  data: unknown;
}

const longestString = 65_536;
const cappedEnd = /…\[truncated \d{1,12} characters\]$/;

/** The record of an event and its picked fields (both redacted by the caller), each string capped at 64 KiB. */
export function rawEventOf(event: Event, picked: PickedFields): RawEvent {
  const { toolName, toolInput, toolOutput, userPrompt, assistantResponse, error } = picked;
  return {
    hookType: event.hookType,
    ...(toolName === undefined ? {} : { toolName }),
    ...(toolInput === undefined ? {} : { toolInput: capStrings(toolInput) }),
    ...(toolOutput === undefined ? {} : { toolOutput: capStrings(toolOutput) }),
    ...(userPrompt === undefined ? {} : { userPrompt: capString(userPrompt, longestString) }),
    ...(assistantResponse === undefined
      ? {}
      : { assistantResponse: capString(assistantResponse, longestString) }),
    ...(error === undefined ? {} : { error: capString(error, longestString) }),
    data: capStrings(event.data ?? {}),
  };
}

/**
 * The JSON value with every string of more than `maxLength` code points cut there and marked
 * `…[truncated N characters]`. A value without such strings is returned itself; a capped one is not cut again.
 */
export function capStrings(value: unknown, maxLength: number = longestString): unknown {
  if (typeof value === "string") return capString(value, maxLength);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => capStrings(item, maxLength));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== "object" || value === null) return value;
  let changed = false;
  const entries = Object.entries(value).map(([key, item]: [string, unknown]): [string, unknown] => {
    const capped = capStrings(item, maxLength);
    if (capped !== item) changed = true;
    return [key, capped];
  });
  // fromEntries defines own properties, so that a key `__proto__` stays plain data.
  return changed ? Object.fromEntries(entries) : value;
}

function capString(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const kept = headOf(text, maxLength);
  if (kept.length === text.length) return text;
  const rest = text.slice(kept.length);
  return rest.length < 48 && cappedEnd.test(rest) && cappedEnd.exec(rest)?.index === 0
    ? text
    : `${kept}…[truncated ${lengthOf(rest)} characters]`;
}

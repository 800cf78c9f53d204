import { isContainer } from "../../json/is-object.ts";
import { countCodePoints, cutCodePoints } from "../../text/code-points.ts";
import type { Event, PickedFields } from "./pick-up-fields.ts";

/** The event as it is stored beside its compressed form: complete, except for the ends of huge strings. */
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
const cappedEnd = /^…\[truncated \d{1,12} characters\]$/;

/**
 * The raw event of an event and its picked fields (both redacted by the caller), with strings capped at
 * 65,536 code points.
 */
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
 * Cuts every string of a JSON value that is longer than `maxLength` code points, and marks it with
 * `…[truncated N characters]`. A value without such strings is returned unchanged; a capped string is not cut
 * again.
 */
export function capStrings(value: unknown, maxLength: number = longestString): unknown {
  if (typeof value === "string") return capString(value, maxLength);
  if (Array.isArray(value)) return capItems(value, maxLength);
  return isContainer(value) ? capFields(value, maxLength) : value;
}

function capItems(items: readonly unknown[], maxLength: number): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const capped = capStrings(items[at], maxLength);
    if (changed === undefined && capped !== items[at]) changed = items.slice(0, at);
    changed?.push(capped);
  }
  return changed ?? items;
}

function capFields(record: object, maxLength: number): object {
  const entries: [string, unknown][] = Object.entries(record);
  let changed = false;
  for (const entry of entries) {
    const capped = capStrings(entry[1], maxLength);
    changed ||= capped !== entry[1];
    entry[1] = capped;
  }
  // `fromEntries` defines own properties, so that a key `__proto__` stays plain data.
  return changed ? Object.fromEntries(entries) : record;
}

function capString(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const kept = cutCodePoints(text, maxLength);
  if (kept.length === text.length) return text;
  const rest = text.slice(kept.length);
  return cappedEnd.test(rest) ? text : `${kept}…[truncated ${countCodePoints(rest)} characters]`;
}

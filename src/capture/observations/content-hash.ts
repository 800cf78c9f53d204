import { isContainer } from "../../json/is-object.ts";
import { itemsInStep, runUninterrupted, type Steps } from "../../steps.ts";
import { sha256 } from "../../system/sha256.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import type { Event } from "./pick-up-fields.ts";

/**
 * The hash by which a repeated delivery is recognised: SHA-256, in hex, of session id, hook type, tool name
 * (or empty) and the data as canonical JSON. The first three are items of a JSON array, so different values
 * cannot give the same text.
 */
export function contentHash(event: Event, toolName: string | undefined): string {
  return runUninterrupted(hashInSteps(event, toolName));
}

/** The same as a generator, for an event that may be large. */
export function* hashInSteps(event: Event, toolName: string | undefined): Steps<string> {
  const head = JSON.stringify([event.sessionId, event.hookType, toolName ?? ""]);
  const data = yield* canonicalJson(event.data ?? null);
  yield;
  return sha256(`${head}\n${data}`);
}

/** The hash of a transcript line: however often the line is read, it is the same event. */
export function importHash(sessionId: string, lineKey: string): string {
  return sha256(JSON.stringify(["import", sessionId, lineKey]));
}

/**
 * The hash of an event that a hook reported, in the form in which a transcript can recognise it: session,
 * identity and time window.
 */
export function hookEventHash(sessionId: string, identity: string, stretch: number): string {
  return sha256(JSON.stringify(["told", sessionId, identity, stretch]));
}

/**
 * JSON with the keys of every object sorted by code units. The depth is bounded by the request limit of 64.
 */
function* canonicalJson(value: unknown): Steps<string> {
  if (!isContainer(value)) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return yield* canonicalArray(value);
  let members = "";
  for (const [key, item] of Object.entries(value).sort(([left], [right]) => compareTexts(left, right))) {
    if (item === undefined) continue;
    const text = isContainer(item) ? yield* canonicalJson(item) : JSON.stringify(item);
    members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${text}`;
  }
  return `{${members}}`;
}

function* canonicalArray(items: readonly unknown[]): Steps<string> {
  // A list without objects needs no sorting.
  if (!items.some(isContainer)) return JSON.stringify(items);
  let members = "";
  for (let at = 0; at < items.length; at++) {
    members += `${at === 0 ? "" : ","}${yield* canonicalJson(items[at] ?? null)}`;
    if (at % itemsInStep === itemsInStep - 1) yield;
  }
  return `[${members}]`;
}

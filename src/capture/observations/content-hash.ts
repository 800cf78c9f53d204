import { atOnce, itemsInStep, type Steps } from "../../steps.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import type { Event } from "./pick-up-fields.ts";

/**
 * SHA-256, in hex, of what makes two deliveries the same event: session id, hook type, tool name (or empty) and the
 * whole data as canonical JSON. The parts are items of one JSON array, so no two different quadruples look alike.
 */
export function contentHash(event: Event, toolName: string | undefined): string {
  return atOnce(hashInSteps(event, toolName));
}

/** The same of an event that may be large. */
export function* hashInSteps(event: Event, toolName: string | undefined): Steps<string> {
  const head = JSON.stringify([event.sessionId, event.hookType, toolName ?? ""]);
  const data = yield* canonicalJson(event.data ?? null);
  yield;
  return sha256(`${head}\n${data}`);
}

/** The same for a line of a transcript: however often it is read, it is the same event. */
export function importHash(sessionId: string, lineKey: string): string {
  return sha256(JSON.stringify(["import", sessionId, lineKey]));
}

/** The same for what a hook told of a session in a stretch of time, by what a transcript knows it by. */
export function toldHash(sessionId: string, identity: string, stretch: number): string {
  return sha256(JSON.stringify(["told", sessionId, identity, stretch]));
}

function sha256(text: string): string {
  // Loaded by the first event: a command that only reads has no use for it.
  return process.getBuiltinModule("node:crypto").hash("sha256", text);
}

/** JSON with the keys of every object in the order of their code units. Depth is bounded by the request's limit of 64. */
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
  // In a list without objects there is nothing to put in order.
  if (!items.some(isContainer)) return JSON.stringify(items);
  let members = "";
  for (let at = 0; at < items.length; at++) {
    members += `${at === 0 ? "" : ","}${yield* canonicalJson(items[at] ?? null)}`;
    if (at % itemsInStep === itemsInStep - 1) yield;
  }
  return `[${members}]`;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

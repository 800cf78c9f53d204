import { compareTexts } from "../../text/compare-texts.ts";
import type { Event } from "./pickup.ts";

/**
 * SHA-256, in hex, of what makes two deliveries the same event: session id, hook type, tool name (or empty) and the
 * whole data as canonical JSON. The parts are items of one JSON array, so no two different quadruples look alike.
 */
export function contentHash(event: Event, toolName: string | undefined): string {
  const head = JSON.stringify([event.sessionId, event.hookType, toolName ?? ""]);
  return sha256(`${head}\n${canonicalJson(event.data ?? null)}`);
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
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([left], [right]) => compareTexts(left, right))
    .map(([key, item]: [string, unknown]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${members.join(",")}}`;
}

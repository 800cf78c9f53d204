import { isText } from "../../../json/is-text.ts";
import { eventDataObject } from "../event-data.ts";
import type { Dialect } from "./hook-dialect.ts";
import { dialects } from "./hook-dialects.ts";
import type { Payload } from "./hook-fields.ts";

/*
 * Turns the payload that a coding agent's hook writes to standard input into the input of `observe`. Loaded
 * by the fast path of the command line, so it imports little besides the dialects.
 */

/** The body of `POST /observe`. `timestamp` is ISO 8601. */
export interface ObserveInput {
  hookType: string;
  sessionId: string;
  project: string;
  cwd: string;
  timestamp: string;
  data: Record<string, unknown>;
  agentId?: string;
}

/** Less is a number of seconds: 1973 in milliseconds, the year 5138 in seconds. */
const leastMilliseconds = 100_000_000_000;

export interface HookContext {
  now: () => Date;
  /** The project that a working directory belongs to. */
  projectOf: (cwd: string) => string;
  /** The working directory for payloads that do not name one. */
  fallbackCwd: string;
}

type ReadHook =
  /**
   * `agent`: the agent that sent the payload, as far as its fields show; the common format counts as Claude
   * Code's.
   */
  | { kind: "event"; input: ObserveInput; agent?: string }
  /** `reason`: a sentence that says why there is nothing to capture. */
  | { kind: "nothing"; reason: string }
  /** `reason`: a sentence that says what the payload lacks. */
  | { kind: "unrecognised"; reason: string };

/**
 * Reads one payload: the API's own format (it has `hookType`), or that of an agent's hooks (`dialects`). Missing
 * values (project, cwd, timestamp) come from the context.
 */
export function observeInputFrom(payload: Record<string, unknown>, context: HookContext): ReadHook {
  if ("hookType" in payload) return ownShape(payload, context);
  for (const dialect of dialects) {
    const event = dialect.eventKeys
      .map((key) => payload[key])
      .find(isText)
      ?.trim();
    if (event !== undefined && dialect.recognises(payload, event))
      return nativeShape(dialect, event, payload, context);
  }
  return { kind: "unrecognised", reason: "the payload has neither hookType nor hook_event_name" };
}

function ownShape(payload: Payload, { now, projectOf, fallbackCwd }: HookContext): ReadHook {
  const { hookType, sessionId, project, timestamp, data, agentId } = payload;
  if (!isText(hookType)) return { kind: "unrecognised", reason: "hookType must be a text that is not blank" };
  if (!isText(sessionId)) return { kind: "unrecognised", reason: "the payload has no sessionId" };
  const cwd = isText(payload.cwd) ? payload.cwd : fallbackCwd;
  const input: ObserveInput = {
    hookType,
    sessionId,
    project: isText(project) ? project : projectOf(cwd),
    cwd,
    timestamp: isText(timestamp) ? timestamp : (isoTime(timestamp) ?? now().toISOString()),
    data: eventDataObject(data),
  };
  return { kind: "event", input: isText(agentId) ? { ...input, agentId } : input };
}

function nativeShape(dialect: Dialect, event: string, payload: Payload, context: HookContext): ReadHook {
  if (dialect.tellsNothing?.(payload, event))
    return { kind: "nothing", reason: `nothing happened in this ${event} of ${dialect.agent}` };
  const sessionId = dialect.sessionKeys.map((key) => payload[key]).find(isText);
  if (sessionId === undefined) {
    return { kind: "unrecognised", reason: `the ${dialect.agent} payload has no ${dialect.sessionKeys[0]}` };
  }
  const found = dialect.cwdOf === undefined ? payload.cwd : dialect.cwdOf(payload);
  const cwd = isText(found) ? found : context.fallbackCwd;
  const data: Payload = { ...payload };
  for (const key of dialect.sessionKeys) if (data[key] === sessionId) delete data[key];
  for (const key of dialect.eventKeys) delete data[key];
  delete data.timestamp;
  // A command may have a directory of its own; then it stays in the event's data.
  if (data.cwd === cwd) delete data.cwd;
  const normalise = Object.hasOwn(dialect.normalise ?? {}, event) ? dialect.normalise?.[event] : undefined;
  const named = Object.hasOwn(dialect.hookTypes, event) ? dialect.hookTypes[event] : undefined;
  const hookType = dialect.hookTypeOf?.(payload, event) ?? named;
  const input: ObserveInput = {
    hookType: hookType ?? snakeCase(event),
    sessionId,
    project: context.projectOf(cwd),
    cwd,
    timestamp: isoTime(payload.timestamp) ?? context.now().toISOString(),
    data: normalise === undefined ? data : normalise(data),
  };
  return { kind: "event", input, agent: dialect.agent };
}

/**
 * An ISO time from a text (UTC if it has no offset), or from a number: milliseconds, or seconds as many programs write
 * them. As milliseconds, such seconds would be in 1970. Undefined for anything else.
 */
function isoTime(value: unknown): string | undefined {
  const lacksOffset = typeof value === "string" && /T[\d:.]+$/.test(value);
  const isInSeconds = typeof value === "number" && Math.abs(value) < leastMilliseconds;
  const given = isInSeconds ? value * 1_000 : lacksOffset ? `${value}Z` : value;
  const time = typeof given === "number" || isText(given) ? new Date(given) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** `PostCompact`, `workspaceOpen` → `post_compact`, `workspace_open`. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
}

import * as z from "zod";
import { cutAgentId } from "../config/agent-id.ts";
import { isObject } from "../json/is-object.ts";
import { dayMs } from "../time/durations.ts";

/*
 * The field types of the interface, named as the contract names them. A value outside the type is a 400.
 * Lengths are counted in Unicode code points.
 */

function atMost(maxCodePoints: number) {
  // A code point takes at most two UTF-16 units, so a text longer than twice the limit need not be counted.
  return (text: string) =>
    text.length <= maxCodePoints || (text.length <= 2 * maxCodePoints && [...text].length <= maxCodePoints);
}

const notBlank = (text: string) => /\S/u.test(text);

/** A string that is not blank; stored untrimmed. */
export function str(maxCodePoints: number) {
  return z
    .string()
    .refine(notBlank, "must not be blank")
    .refine(atMost(maxCodePoints), `must be at most ${maxCodePoints} characters`)
    .meta({ minLength: 1, maxLength: maxCodePoints });
}

export const Id = str(256);
export const Path = str(4_096);
export const ProjectName = str(1_024);

function trimmed(maxCodePoints: number) {
  return z.string().trim().meta({ minLength: 1, maxLength: maxCodePoints }).pipe(str(maxCodePoints));
}

export const Name = trimmed(200);
/** In code points. */
export const maxTitleLength = 300;
export const Title = trimmed(maxTitleLength);

export const maxTextLength = 100_000;

/** Long text that must not be blank. */
export const Text = str(maxTextLength);

/** Long text that may be empty. */
export function optionalText(maxCodePoints: number) {
  return z
    .string()
    .refine(atMost(maxCodePoints), `must be at most ${maxCodePoints} characters`)
    .meta({ maxLength: maxCodePoints });
}

/** How many tags a record has at most. */
export const maxTags = 200;

/** Trimmed, without blank and repeated ones. */
export function cleanTags(items: readonly string[]): string[] {
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ""))];
}

/** At most 200 strings of at most 200 characters: trimmed, blank ones dropped, repeats removed, order kept. */
export const Tags = z.array(optionalText(200)).max(maxTags).transform(cleanTags);

/** Tags as an array, or as one comma-separated string. */
export const TagsOrCsv = z
  .union([z.string().transform((text) => text.split(",")), z.array(z.string())], {
    error: "must be an array of strings, or one string with commas between the tags",
  })
  .pipe(Tags);

export const Ids = z.array(Id).min(1).max(1_000);

/** Whole number from `low` to `high`. */
export function int(low: number, high: number) {
  return z.number().int().min(low).max(high);
}

/** Number from `low` to `high`. */
export function num(low: number, high: number) {
  return z.number().min(low).max(high);
}

/** Whole number of at least `low`; a value above the cap becomes the cap. */
export function clamped(low: number, cap: number) {
  return whole(low).transform((given) => Math.min(given, cap));
}

/** Whole number of at least 1 with a default; a value above the cap becomes the cap. */
export function limit(byDefault: number, cap: number) {
  return clamped(1, cap).prefault(byDefault);
}

/** Whole number of at least `low`. Not zod's `int()`, which refuses numbers beyond 2^53; a limit may exceed that. */
export function whole(low: number) {
  return z.number().refine(Number.isInteger, "must be a whole number").min(low).meta({ type: "integer" });
}

/** Milliseconds until something expires: at least a second, no upper limit. */
export const ExpiresInMs = whole(1_000);

export const maxJsonBytes = 65_536;

function isSmall(value: unknown): boolean {
  return value === undefined || Buffer.byteLength(JSON.stringify(value)) <= maxJsonBytes;
}

const tooLong = `must be at most ${maxJsonBytes} bytes as JSON`;

/** Any JSON value of at most 64 KiB. */
export const Json = z.unknown().refine(isSmall, tooLong);

/** An object with any keys. Stops at a value that is not an object, instead of also reporting its missing fields. */
export const AnyObject = z.unknown().refine(isObject, { error: "must be an object", abort: true });

/** A JSON object of at most 64 KiB, with any keys. */
export const JsonObject = AnyObject.refine(isSmall, tooLong)
  .transform((value) => value as Readonly<Record<string, unknown>>)
  .meta({ type: "object" });

/** Rows to skip. Capped, because SQLite takes no number beyond 2^53. */
export const Offset = whole(0)
  .transform((given) => Math.min(given, Number.MAX_SAFE_INTEGER))
  .prefault(0);

/**
 * The offset may come after a blank, and a blank may stand for its plus sign, as in a URL whose plus was not encoded.
 */
const isoTime =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|(?: ?[+-]| )\d{2}:?\d{2})?)?$/u;

/**
 * Milliseconds since 1970 of an ISO 8601 text, or undefined if it is none. Without an offset it is UTC; a date alone
 * means its midnight.
 */
export function parseTime(text: string): number | undefined {
  if (shownTime.test(text)) return Date.parse(text);
  if (!isTimeInForm(text)) return undefined;
  const given = text
    .trim()
    .replace(/^(.{10}) /u, "$1T")
    .replace(/ (?=[+-])/u, "")
    .replace(" ", "+");
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/u.test(given.slice(10)) || given.length === 10 ? given : `${given}Z`;
  const time = Date.parse(zoned);
  return isShowable(time) && isCalendarDay(given.slice(0, 10)) ? time : undefined;
}

/**
 * Fast path: the format of answers and export files, on days 1 to 28, which every month has. Files contain hundreds of
 * thousands of times.
 */
const shownTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Rejects days that do not exist: Date.parse reads February 30 as March 2. */
function isCalendarDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** Whether a text has the form of a time, although its day or hour may not exist. */
export function isTimeInForm(text: string): boolean {
  return isoTime.test(text.trim());
}

const timeExample = "2025-01-31T09:08:07Z";

/** The message for a text that is not a time. */
export function timeProblem(text: string): string {
  return isTimeInForm(text)
    ? `must be a day and an hour that exist, as an ISO 8601 time such as ${timeExample}`
    : `must be an ISO 8601 time such as ${timeExample}`;
}

/** A field with an ISO 8601 time, as milliseconds since 1970; `read` returns undefined for an invalid text. */
function timeField(read: (text: string) => number | undefined) {
  return z
    .string()
    .meta({ format: "date-time" })
    .transform((text, context) => {
      const time = read(text);
      if (time !== undefined) return time;
      context.addIssue({ code: "custom", message: timeProblem(text) });
      return z.NEVER;
    });
}

export const Time = timeField(parseTime);

/** The end of a time span: a date alone means the last millisecond of that day. */
export const EndTime = timeField(parseEndTime);

export function parseEndTime(text: string): number | undefined {
  const time = parseTime(text);
  return time !== undefined && text.trim().length === 10 ? time + dayMs - 1 : time;
}

/** A time in an answer: ISO 8601, UTC, with milliseconds. */
export const TimeText = z.string().meta({ format: "date-time" });

const earliestTime = Date.parse("0000-01-01T00:00:00.000Z");
const latestTime = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether the year has four digits; other years cannot be written in the format of answers and files. */
export function isShowable(time: number): boolean {
  return time >= earliestTime && time <= latestTime;
}

/** The time that many milliseconds after `now`, but at most the latest one that can be shown. */
export function timeAfter(now: number, milliseconds: number): number {
  return Math.min(now + milliseconds, latestTime);
}

export function timeText(milliseconds: number): string;
export function timeText(milliseconds: number | null): string | null;
export function timeText(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** The day of a time, in UTC. */
export function dayText(milliseconds: number): string {
  return timeText(milliseconds).slice(0, 10);
}

/** The paging fields of every list. */
export const pageFields = {
  total: z.number().int().describe("rows that match the filters"),
  offset: z.number().int().describe("rows skipped, as applied"),
  limit: z.number().int().describe("maximum number of rows, as applied"),
};

/** Ids of agents; longer ones are cut everywhere. */
export const AgentId = Id.transform(cutAgentId);

/** Input fields of every scoped operation: whose rows it reads or writes. */
export const scopeFields = {
  agentId: AgentId.optional().describe("agent whose rows to use; `*` reads those of all agents"),
  includeOrphans: z.boolean().optional().describe("include rows that belong to no agent"),
};

/** Input field of every operation that deletes. */
export const dryRunInput = {
  dryRun: z.boolean().optional().describe("show what would be done, and change nothing"),
};

/** Output field of operations whose answer does not tell a dry run in another way. */
export const dryRunOutput = {
  dryRun: z.literal(true).optional().describe("present when nothing was changed"),
};

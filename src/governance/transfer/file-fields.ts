import * as z from "zod";
import { AnyObject, cleanTags, Id, isShowable, parseTime } from "../../operation/fields.ts";
import { cutText } from "../../text/cut.ts";
import { privatePlaceholder, secretPlaceholder } from "../../text/redaction/placeholders.ts";
import { redactObject, redactText, redactValue } from "../../text/redaction/redact.ts";

/*
 * Field types of rows in an export file. They accept what the interface answers with, and what older and
 * related programs wrote: times as numbers, optional fields left out.
 */

/** A time as ISO 8601 text or as milliseconds since 1970; becomes the latter. */
export const FileTime = z.unknown().transform((given, context) => {
  const time = typeof given === "string" ? parseTime(given) : given;
  if (typeof time === "number" && Number.isInteger(time) && isShowable(time)) return time;
  context.addIssue({ code: "custom", message: "must be an ISO 8601 time, or milliseconds since 1970" });
  return z.NEVER;
});

export const FileId = Id;

/** A list of texts; empty if the field is missing. */
export const FileTexts = z.array(z.string()).default(() => []);

/** Paths, without blank and repeated ones. */
export const FilePaths = z
  .array(z.string())
  .transform((paths) => [...new Set(paths.filter((path) => path.trim() !== ""))])
  .default(() => []);

export const FileText = z.string();

/** Text that somebody wrote: redacted when it is read, as on every other way into the store. */
export const RedactedText = z.string().transform(redactText);

/**
 * Redacted text of a limited length. Each redaction mark counts as one character, since it may be longer than
 * the secret that it replaced.
 */
export function redactedText(maxCodePoints: number) {
  const message = `must be at most ${maxCodePoints} characters`;
  return RedactedText.refine((text) => fits(text, maxCodePoints), message);
}

/** Redacted text that is cut where it is too long, for titles, whose words the record says elsewhere, too. */
export function redactedTitle(maxCodePoints: number) {
  return RedactedText.transform((text) => (fits(text, maxCodePoints) ? text : cutText(text, maxCodePoints)));
}

function fits(text: string, maxCodePoints: number): boolean {
  return text.length <= maxCodePoints || [...withoutMarks(text)].length <= maxCodePoints;
}

function withoutMarks(text: string): string {
  return text.replaceAll(secretPlaceholder, "*").replaceAll(privatePlaceholder, "*");
}

export const RedactedTexts = z
  .array(z.string())
  .transform((texts) => texts.map(redactText))
  .default(() => []);

/** Redacted tags, cleaned as on every other way into the store. */
export const RedactedTags = z
  .array(z.string())
  .transform((tags) => cleanTags(tags.map(redactText)))
  .default(() => []);

/** Any JSON that somebody wrote. */
export const RedactedJson = z.unknown().transform(redactValue);

/** An object of arbitrary content, whose keys are plain data. */
export const RedactedObject = AnyObject.transform((value) =>
  // The cast holds: AnyObject accepts only objects.
  redactObject(value as Readonly<Record<string, unknown>>),
);

/** The items of both lists, each once, those of the first one first. */
export function united(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])];
}

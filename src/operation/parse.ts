import type * as z from "zod";
import { describeIssue, isLibraryMessage, oneOf } from "./describe-issue.ts";
import { type Issue, MemsvcError } from "./errors.ts";
import { withoutNulls } from "./without-nulls.ts";

export const maxIssues = 50;

/**
 * Checks an input against its schema. `null` for a field counts as absent, unless the field is declared as nullable.
 * Error: invalid_input with its issues.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const given = withoutNulls(schema, input);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = issuesOf(parsed.error, given);
  const first = issues[0] ?? { path: "", message: "invalid input" };
  throw new MemsvcError("invalid_input", withPlace(first), { issues });
}

/** What was wrong with a value, at most 50 faults, each in a sentence. */
export function issuesOf(error: z.core.$ZodError, given: unknown): Issue[] {
  return error.issues.slice(0, maxIssues).map((issue) => sentence(issue, given));
}

/** A fault as a sentence that names its place. */
export function withPlace({ path, message }: Issue): string {
  return path === "" || message.startsWith(path) ? message : `${path}: ${message}`;
}

function sentence(issue: z.core.$ZodIssue, input: unknown): Issue {
  const isMissing = isOfAbsence(issue) && valueAt(input, issue.path) === undefined;
  if (!isMissing) return describeIssue(issue);
  const path = issue.path.map(String).join(".");
  const choices = issue.code === "invalid_value" ? `: ${oneOf(issue.values.map(String))}` : "";
  return { path, message: `${path || "the input"} required${choices}` };
}

/** Whether it may be said of a value that is not there: that it is of no type, no choice, and no variant. */
function isOfAbsence(issue: z.core.$ZodIssue): boolean {
  if (issue.code === "invalid_type") return true;
  return (
    (issue.code === "invalid_value" || issue.code === "invalid_union") && isLibraryMessage(issue.message)
  );
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

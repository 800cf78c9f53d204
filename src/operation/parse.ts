import type * as z from "zod";
import { isContainer } from "../json/is-object.ts";
import { describeIssue, faultInside, isLibraryMessage, oneOf } from "./describe-issue.ts";
import { type Issue, MemsvcError } from "./errors.ts";
import { withoutNulls } from "./without-nulls.ts";

export const maxIssues = 50;

/**
 * Validates an input. `null` for a field counts as absent, unless the field is nullable. Error: invalid_input with its
 * issues.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const given = withoutNulls(schema, input);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = issuesOf(parsed.error, given);
  const first = issues[0] ?? { path: "", message: "invalid input" };
  throw new MemsvcError("invalid_input", withFieldPath(first), { issues });
}

/** The faults of a value, at most 50, each as a sentence. */
export function issuesOf(error: z.core.$ZodError, given: unknown): Issue[] {
  return error.issues.slice(0, maxIssues).map((issue) => sentence(faultInside(issue) ?? issue, given));
}

/** The message with the field's path in front, unless it begins with it. */
export function withFieldPath({ path, message }: Issue): string {
  return path === "" || message.startsWith(path) ? message : `${path}: ${message}`;
}

/** Nothing is missing where a list was given as one text: its items have no place of their own in what was given. */
function sentence(issue: z.core.$ZodIssue, input: unknown): Issue {
  const isMissing =
    mayMeanMissing(issue) &&
    valueAt(input, issue.path) === undefined &&
    typeof valueAt(input, issue.path.slice(0, -1)) !== "string";
  if (!isMissing) return describeIssue(issue);
  const path = issue.path.map(String).join(".");
  const choices = issue.code === "invalid_value" ? `: ${oneOf(issue.values.map(String))}` : "";
  return { path, message: `${path || "the input"} required${choices}` };
}

/** Whether zod reports a missing value by such an issue: as a wrong type, a wrong choice, or no matching variant. */
function mayMeanMissing(issue: z.core.$ZodIssue): boolean {
  if (issue.code === "invalid_type") return true;
  return (
    (issue.code === "invalid_value" || issue.code === "invalid_union") && isLibraryMessage(issue.message)
  );
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isContainer(value) ? Reflect.get(value, key) : undefined),
    input,
  );
}

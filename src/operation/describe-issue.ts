import type * as z from "zod";
import type { Issue } from "./errors.ts";

/** Whether zod itself wrote the message: its messages begin with these words, those of our own schemas do not. */
export function isLibraryMessage(message: string): boolean {
  return /^(?:Invalid|Too|Unrecognized) /u.test(message);
}

/** Translates a fault of zod into our style, "must be …". Messages from our own schemas are kept. */
export function describeIssue(issue: z.core.$ZodIssue): Issue {
  const path = issue.path.map(String).join(".");
  if (!isLibraryMessage(issue.message)) return { path, message: issue.message };
  if (issue.code === "invalid_union") return ofUnion(issue, path);
  return { path, message: wanted(issue) ?? issue.message };
}

function wanted(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${oneOf(issue.values.map(String))}`;
    case "too_small":
      return `must ${amount(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
    case "too_big":
      return `must ${amount(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
    default:
      return undefined;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  array: "an array",
  object: "an object",
  record: "an object",
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  null: "null",
};

function amount(origin: string, bound: string, size: number | bigint): string {
  const items = `${size} ${Number(size) === 1 ? "item" : "items"}`;
  if (origin === "array" || origin === "set") return `have ${bound} ${items}`;
  if (origin === "string") return `have ${bound} ${items.replace("item", "character")}`;
  return `be ${bound} ${size}`;
}

/** Examples: `a`, `a or b`, `a, b or c`. */
export function oneOf(choices: readonly string[]): string {
  if (choices.length < 2) return choices.join("");
  return `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

/**
 * The fault of the first variant that fails inside the value; if all fail at the value itself, a list of the types that
 * would be accepted.
 */
function ofUnion(issue: z.core.$ZodIssueInvalidUnion, path: string): Issue {
  const firsts = issue.errors.flatMap(([first]) => (first === undefined ? [] : [describeIssue(first)]));
  const inside = firsts.find((fault) => fault.path !== "");
  if (inside !== undefined) {
    return { path: path === "" ? inside.path : `${path}.${inside.path}`, message: inside.message };
  }
  const types = firsts.flatMap(({ message }) => /^must be (.*)$/u.exec(message)?.[1] ?? []);
  return { path, message: types.length === 0 ? issue.message : `must be ${oneOf([...new Set(types)])}` };
}

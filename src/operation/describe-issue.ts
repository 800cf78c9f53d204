import type * as z from "zod";
import type { Issue } from "./errors.ts";

/** Whether zod itself wrote the message: its messages begin with these words, those of our own schemas do not. */
export function isLibraryMessage(message: string): boolean {
  return /^(?:Invalid|Too|Unrecognized) /u.test(message);
}

/** Translates a fault of zod into our style, "must be …". Messages from our own schemas are kept. */
export function describeIssue(issue: z.core.$ZodIssue): Issue {
  const inside = faultInside(issue);
  if (inside !== undefined) return describeIssue(inside);
  const path = issue.path.map(String).join(".");
  if (!isLibraryMessage(issue.message)) return { path, message: issue.message };
  if (issue.code === "invalid_union") return { path, message: typesWanted(issue) ?? issue.message };
  return { path, message: wanted(issue) ?? issue.message };
}

/** Of a value that no variant of a union accepts: the first fault within it; undefined if all reject the value itself. */
export function faultInside(issue: z.core.$ZodIssue): z.core.$ZodIssue | undefined {
  if (issue.code !== "invalid_union") return undefined;
  const firsts = issue.errors.flatMap(([first]) =>
    first === undefined ? [] : [faultInside(first) ?? first],
  );
  const inside = firsts.find(({ path }) => path.length > 0);
  return inside === undefined ? undefined : { ...inside, path: [...issue.path, ...inside.path] };
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

/** The types that the variants of a union would accept. */
function typesWanted(issue: z.core.$ZodIssueInvalidUnion): string | undefined {
  const types = issue.errors.flatMap(([first]) =>
    first === undefined ? [] : (/^must be (.*)$/u.exec(describeIssue(first).message)?.[1] ?? []),
  );
  return types.length === 0 ? undefined : `must be ${oneOf([...new Set(types)])}`;
}

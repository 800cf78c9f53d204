import { isObject } from "../../../json/is-object.ts";

/*
 * The plans that agents keep of their work: `todos` of Claude Code, OpenCode, Cursor and Gemini CLI, `plan` of Codex. Each
 * item has a status, and its text under one of a few keys.
 */

const textKeys = ["content", "step", "description", "title", "subject", "text"];
/** In the order in which they are told: what is left comes first. */
const parts = [
  { name: "open", statuses: new Set(["pending", "open", "todo", "not_started"]) },
  { name: "in progress", statuses: new Set(["in_progress", "in-progress", "doing", "active"]) },
  { name: "done", statuses: new Set(["completed", "done"]) },
] as const;
const between = " · ";

/** What tools that keep plans are by their names: `TodoWrite` one that writes, `update_plan` one that edits. */
export const planTypes: ReadonlySet<string> = new Set(["file_write", "file_edit"]);

/** A plan on one line, `open: a; b · in progress: c · done: d`; undefined for an input that is none. */
export function planLine(input: Readonly<Record<string, unknown>>): string | undefined {
  const items = input.todos ?? input.plan;
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const read = items.map(itemOf);
  if (!read.every((item) => item !== undefined)) return undefined;
  const told = parts.flatMap(({ name, statuses }) => {
    const texts = read.filter(({ status }) => statuses.has(status)).map(({ text }) => text);
    return texts.length === 0 ? [] : [`${name}: ${texts.join("; ")}`];
  });
  return told.length === 0 ? undefined : told.join(between);
}

/** Whether what is told of an event is a plan. */
export function isPlan(line: string): boolean {
  return parts.some(({ name }) => line.startsWith(`${name}: `));
}

/** What of a plan is not done, `open: a; b · in progress: c`; undefined where all is. */
export function leftOfPlan(line: string): string | undefined {
  const left = line.split(between).filter((part) => part !== "" && !part.startsWith("done: "));
  return left.length === 0 ? undefined : left.join(between);
}

function itemOf(item: unknown): { readonly text: string; readonly status: string } | undefined {
  if (!isObject(item) || typeof item.status !== "string") return undefined;
  const key = textKeys.find((one) => typeof item[one] === "string" && item[one] !== "");
  return key === undefined
    ? undefined
    : { text: String(item[key]).trim(), status: item.status.toLowerCase() };
}

import { isObject } from "../../../json/is-object.ts";

/*
 * The plans that agents keep of their work: `todos` of Claude Code, OpenCode, Cursor and Gemini CLI, `plan`
 * of Codex. Each item has a status, and its text under one of a few keys.
 */

const textKeys = ["content", "step", "description", "title", "subject", "text"];
/** In the order of the text: open items come first. */
const parts = [
  { name: "open", statuses: new Set(["pending", "open", "todo", "not_started"]) },
  { name: "in progress", statuses: new Set(["in_progress", "in-progress", "doing", "active"]) },
  { name: "done", statuses: new Set(["completed", "done"]) },
] as const;
const between = " · ";

export interface PlanItem {
  readonly text: string;
  readonly status: string;
}

/** A plan on one line, `open: a; b · in progress: c · done: d`; undefined for an input that is no plan. */
export function planLine(input: Readonly<Record<string, unknown>>): string | undefined {
  const items = input.todos ?? input.plan;
  if (!Array.isArray(items)) return undefined;
  const read = items.map(itemOf);
  return read.every((item) => item !== undefined) ? planOfItems(read) : undefined;
}

/** Items in the form of `planLine`; undefined if none has a status that is told. */
export function planOfItems(items: readonly PlanItem[]): string | undefined {
  const told = parts.flatMap(({ name, statuses }) => {
    const texts = items.filter(({ status }) => statuses.has(status)).map(({ text }) => text);
    return texts.length === 0 ? [] : [`${name}: ${texts.join("; ")}`];
  });
  return told.length === 0 ? undefined : told.join(between);
}

/** Whether the text of an event is a plan. */
export function isPlan(line: string): boolean {
  return parts.some(({ name }) => line.startsWith(`${name}: `));
}

/**
 * The part of a plan that is not done, `open: a; b · in progress: c`, as far as `isLeft` says so of a step; undefined
 * when everything is done.
 */
export function leftOfPlan(line: string, isLeft: (step: string) => boolean = () => true): string | undefined {
  const left = partsOf(line)
    .filter(({ name }) => name !== "done")
    .map(({ name, steps }) => ({ name, steps: steps.filter(isLeft) }))
    .filter(({ steps }) => steps.length > 0);
  return left.length === 0
    ? undefined
    : left.map(({ name, steps }) => `${name}: ${steps.join("; ")}`).join(between);
}

/** The steps of a plan that are done. */
export function doneOfPlan(line: string): string[] {
  return partsOf(line).flatMap(({ name, steps }) => (name === "done" ? steps : []));
}

function partsOf(line: string): { readonly name: string; readonly steps: string[] }[] {
  return line
    .split(between)
    .filter((part) => part !== "")
    .map((part) => {
      const [name = ""] = part.split(": ", 1);
      return { name, steps: part.slice(name.length + 2).split("; ") };
    });
}

function itemOf(item: unknown): PlanItem | undefined {
  if (!isObject(item) || typeof item.status !== "string") return undefined;
  const key = textKeys.find((one) => typeof item[one] === "string" && item[one] !== "");
  return key === undefined
    ? undefined
    : { text: String(item[key]).trim(), status: item.status.toLowerCase() };
}

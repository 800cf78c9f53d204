import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { oneLine } from "../../../text/cut.ts";
import { type PlanItem, planOfItems } from "./plan.ts";

/*
 * The plan of Claude Code's later versions, which is told step by step: `TaskCreate` adds one, and its answer tells the
 * step's number; `TaskUpdate` changes the one with a number.
 */

interface ToolCall {
  readonly toolName?: string | undefined;
  readonly toolInput?: unknown;
  readonly toolOutput?: unknown;
}

/** The names of statuses in a line, and as plans have them. */
const statuses = new Map([
  ["open", "pending"],
  ["in progress", "in_progress"],
  ["done", "completed"],
  ["dropped", "deleted"],
  ["renamed", undefined],
]);
const stepLine = new RegExp(`^#([^\\s:]{1,40}) (${[...statuses.keys()].join("|")})(?:: (.*))?$`, "u");
const longestText = 500;

/** A step on one line, `#2 open: Write tests`, `#2 done`; undefined for a call that tells none, or not its number. */
export function planStepLine({ toolName, toolInput, toolOutput }: ToolCall): string | undefined {
  if (!isObject(toolInput)) return undefined;
  const { taskId, subject, status } = toolInput;
  if (toolName === "TaskCreate" && isText(subject)) {
    const number = numberOf(toolOutput);
    return number === undefined ? undefined : lineOf(number, "open", subject);
  }
  if (toolName !== "TaskUpdate" || !isText(taskId)) return undefined;
  const [told] = [...statuses].find(([, own]) => own === status) ?? [];
  return told === undefined || (told === "renamed" && !isText(subject))
    ? undefined
    : lineOf(taskId, told, isText(subject) ? subject : undefined);
}

/** Whether the text of an event begins with a step. */
export function isPlanStep(text: string): boolean {
  return stepLine.test(firstLine(text));
}

/** The plan that steps make, the first first, as `planLine` tells one; blank if nothing is left of it. */
export function planOfSteps(texts: readonly string[]): string {
  const items = new Map<string, PlanItem>();
  for (const text of texts) {
    const [, number = "", told = "", subject] = stepLine.exec(firstLine(text)) ?? [];
    const known = items.get(number);
    const stepText = subject ?? known?.text;
    // A step that was made before, in another session, has no text here.
    if (stepText === undefined) continue;
    items.set(number, { text: stepText, status: statuses.get(told) ?? known?.status ?? "pending" });
  }
  return planOfItems([...items.values()]) ?? "";
}

/** Hooks send the answer as an object, transcripts may have it as a text. */
function numberOf(output: unknown): string | undefined {
  if (isText(output)) return /^Task #(\S{1,40}) created\b/u.exec(output)?.[1];
  const id = isObject(output) && isObject(output.task) ? output.task.id : undefined;
  return isText(id) ? id : undefined;
}

function lineOf(number: string, told: string, subject: string | undefined): string {
  return `#${number} ${told}${subject === undefined ? "" : `: ${oneLine(subject, longestText)}`}`;
}

function firstLine(text: string): string {
  return text.split("\n", 1).join("");
}

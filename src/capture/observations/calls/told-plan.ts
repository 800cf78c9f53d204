import { isPlan } from "./plan.ts";
import { isPlanStep, planOfSteps } from "./plan-steps.ts";
import { isFileChange } from "./tool-kind.ts";

/** Whether the text of an event is a plan or a step of one. */
export function tellsPlan(text: string): boolean {
  return isPlan(text) || isPlanStep(text);
}

/** The last plan that a session's events tell, the first first: a whole one, or what its steps make. */
export function lastPlanOf(texts: readonly string[]): string | undefined {
  const last = texts.findLast(tellsPlan);
  return last === undefined || isPlan(last) ? last : planOfSteps(texts);
}

/**
 * Whether an observation tells a plan or a step. By the names of their tools these are changes: `TodoWrite`,
 * `update_plan`, `TaskCreate`.
 */
export function isPlanEntry(entry: {
  readonly type: string;
  readonly files: readonly string[];
  readonly narrative: string;
}): boolean {
  return isFileChange(entry) && entry.files.length === 0 && tellsPlan(entry.narrative);
}

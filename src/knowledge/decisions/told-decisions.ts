import { decidesNothing } from "../../capture/observations/prose/cues.ts";
import { withoutTodoCue } from "../open-work/todo-cues.ts";

/** Key decisions without those that only ask, tell what happens, or say what to do next. */
export function toldDecisions(keyDecisions: readonly string[]): string[] {
  return keyDecisions.filter((text) => !decidesNothing(text) && withoutTodoCue(text) === text);
}

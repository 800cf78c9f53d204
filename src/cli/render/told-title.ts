import type { Observation } from "../../capture/observations/record.ts";
import { beginsWith, oneLineOfWords } from "../../text/cut.ts";

const longestTold = 200;

/**
 * The title of an observation; for what somebody said, whose first sentence is its title, more of it: `Two causes.` says
 * nothing.
 */
export function toldTitle({
  type,
  title,
  narrative,
}: Pick<Observation, "type" | "title" | "narrative">): string {
  return type === "conversation" && beginsWith(narrative, title)
    ? oneLineOfWords(narrative, longestTold)
    : title;
}

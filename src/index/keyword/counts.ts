import { scriptPattern } from "../../text/script-pattern.ts";
import { unspacedScripts } from "../../text/scripts.ts";

/** Counts such as `30秒`: a number and a single character from an unspaced script. */
export const count = `(?<![\\d.])\\d+([${unspacedScripts}])(?![${unspacedScripts}])`;

const counts = scriptPattern(count, "g");

/** The characters that only count something in a query. They tell nothing without their number. */
export function countersOf(query: string): ReadonlySet<string> {
  return new Set(Array.from(query.matchAll(counts(query)), ([, counter = ""]) => counter));
}

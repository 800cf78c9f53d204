import { frenchTimes } from "./french-time-words.ts";
import { japaneseTimes } from "./japanese-time-words.ts";
import { russianTimes } from "./russian-time-words.ts";
import { spanishTimes } from "./spanish-time-words.ts";
import type { TimeLanguage } from "./time-language.ts";
import { ukrainianTimes } from "./ukrainian-time-words.ts";

/** Languages of which no phrase is tried unless the query has one of their signs. */
const timeLanguages: readonly TimeLanguage[] = [
  ukrainianTimes,
  russianTimes,
  frenchTimes,
  spanishTimes,
  japaneseTimes,
];

/** The languages in which a query may tell a time. */
export function languagesOfTimes(query: string): TimeLanguage[] {
  return timeLanguages.filter(({ signs }) => signs.test(query));
}

export type Direction = "since" | "after" | "before";

/** Finds a word at the end of what comes before a time, as in `depuis`. */
export function directionTold(before: string): { word: Direction; at: number } | undefined {
  for (const { directionBefore } of timeLanguages) {
    const found = directionBefore?.exec(before);
    if (found) return { word: directionIn(found), at: found.index };
  }
  return undefined;
}

/** The same at the beginning of what comes after a time, as in `から`. */
export function endingTold(after: string): Direction | undefined {
  for (const { directionAfter } of timeLanguages) {
    const found = directionAfter?.exec(after);
    if (found) return directionIn(found);
  }
  return undefined;
}

function directionIn({ groups }: RegExpExecArray): Direction {
  if (groups?.since !== undefined) return "since";
  return groups?.after === undefined ? "before" : "after";
}

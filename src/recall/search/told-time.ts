import type { TimeSpan } from "../../index/scope.ts";
import { halvesBack } from "./half-units.ts";
import { back } from "./time-spans.ts";
import { count, numberOf, prepositions, timeMeant } from "./time-words.ts";

/* Texts that are nothing but a time, such as a flag's value or the anchor of a timeline. */

const units = "(m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:ee)?k?s?|mo(?:nths?)?|y(?:(?:ea)?rs?)?)";
const durationAgo = new RegExp(`^${count} ?${units}(?: ago)?$`);

/** The time that a text names: as queries do, a weekday or month alone, or how long ago it was (`2h`, `3 days`). */
export function timeTold(text: string, now: number): TimeSpan | undefined {
  const words = text.trim().toLowerCase();
  const moment = momentAgo(words, now);
  if (moment !== undefined) return { since: moment, until: moment };
  for (const spelt of [words, ...prepositions.map((word) => `${word} ${words}`)]) {
    const meant = timeMeant(spelt, now);
    if (meant?.isAll === true) return meant;
  }
  return undefined;
}

/** The moment of `2 hours ago` or `2h`; undefined for other texts. */
export function momentAgo(words: string, now: number): number | undefined {
  const [, half] = /^half an? (hour|day|week|month|year)(?: ago)?$/.exec(words) ?? [];
  if (half !== undefined) return halvesBack(new Date(now), 1, half).getTime();
  const [, many, unit] = durationAgo.exec(words) ?? [];
  return unit === undefined ? undefined : back(new Date(now), numberOf(many), wholeName(unit)).getTime();
}

function wholeName(unit: string): string | undefined {
  if (unit.startsWith("mo")) return "month";
  return ["minute", "hour", "day", "week", "year"].find((name) => name[0] === unit[0]);
}

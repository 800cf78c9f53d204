import { capturedSpans } from "../captures.ts";
import { noSpans, type Rule } from "../rule.ts";
import { isLiteral } from "./placeholder.ts";

/** A place where, by the format it belongs to, what stands in the group is a secret however it looks. */
export interface Place {
  readonly name: string;
  readonly triggers: readonly string[];
  readonly pattern: RegExp;
}

/** The rule for a place; what only stands for a secret stays. */
export function placeRule({ name, triggers, pattern }: Place): Rule {
  return {
    name,
    triggers,
    find(text, at, floor) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match === null) return noSpans;
      return capturedSpans(match, isLiteral).filter(({ start }) => start >= floor);
    },
  };
}

import { matchAt } from "../../match-at.ts";
import { capturedSpans } from "../captures.ts";
import { noSpans, type Rule } from "../rule.ts";
import { isLiteral } from "./placeholder.ts";

/** A position in some format where the captured value is a secret, whatever it looks like. */
export interface Place {
  readonly name: string;
  readonly triggers: readonly string[];
  readonly pattern: RegExp;
}

/** The rule for such a position; placeholders are left alone. */
export function placeRule({ name, triggers, pattern }: Place): Rule {
  return {
    name,
    triggers,
    find(text, at, floor) {
      const match = matchAt(pattern, text, at);
      if (match === null) return noSpans;
      return capturedSpans(match, isLiteral).filter(({ start }) => start >= floor);
    },
  };
}

import { escapePattern } from "../escape-pattern.ts";
import { endOfMatchAt, matchAt } from "../match-at.ts";
import { noSpans, type Rule, startsWord } from "./rule.ts";
import { joinWrappedToken } from "./wrapped-tokens.ts";

/** A token that is recognised by its beginning. */
export interface TokenFormat {
  readonly name: string;
  /** Literal beginnings, without regular-expression syntax. */
  readonly starts: readonly string[];
  /** Regular-expression source of the rest. Open-ended, so that no tail of a longer token is left. */
  readonly body: string;
  /** Set if the case of letters matters. */
  readonly caseSensitive?: true;
}

/** A token that is recognised by a part in its middle. */
export interface InfixFormat {
  readonly name: string;
  readonly triggers: readonly string[];
  /** Regular-expression source of the text before a trigger; bounded in length. */
  readonly head: string;
  /** Regular-expression source of the text from a trigger on. */
  readonly body: string;
  readonly caseSensitive?: true;
}

/** The rule for a token format; a word boundary must precede it. */
export function tokenRule(format: TokenFormat): Rule {
  const starts = format.starts.map(escapePattern).join("|");
  const pattern = new RegExp(`(?:${starts})(?:${format.body})`, format.caseSensitive ? "y" : "iy");
  return {
    name: format.name,
    triggers: format.starts.map((start) => start.toLowerCase()),
    find(text, at) {
      if (!startsWord(text, at)) return noSpans;
      const end = endOfMatchAt(pattern, text, at);
      if (end !== undefined) return [{ start: at, end }];
      const whole = joinWrappedToken(text, at);
      const length = whole && endOfMatchAt(pattern, whole.token, 0);
      if (whole === undefined || length === undefined) return noSpans;
      return [{ start: at, end: at + length + whole.breaks.filter((each) => each < length).length }];
    },
  };
}

/** The rule for an infix format; a word boundary must precede its head. */
export function infixRule(format: InfixFormat): Rule {
  const pattern = new RegExp(
    `(?<=(?<![A-Za-z0-9_])(${format.head}))(?:${format.body})`,
    format.caseSensitive ? "y" : "iy",
  );
  return {
    name: format.name,
    triggers: format.triggers,
    find(text, at, floor) {
      const match = matchAt(pattern, text, at);
      const start = at - (match?.[1]?.length ?? 0);
      return match !== null && start >= floor ? [{ start, end: pattern.lastIndex }] : noSpans;
    },
  };
}

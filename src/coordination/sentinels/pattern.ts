import { MemsvcError } from "../../operation/errors.ts";
import { textsIn } from "../../store/json-columns.ts";
import type { PatternConfig } from "./config.ts";

/** Tells whether a text matches a pattern. */
export type Matcher = (text: string) => boolean;

/**
 * Compiles an RE2 expression, which matches in time linear in the length of the text, whatever the pattern.
 * Error: invalid_input.
 */
export async function matcherOf(pattern: string): Promise<Matcher> {
  // Loaded on demand: few commands use patterns, and loading the library takes some milliseconds.
  const { RE2JS } = await import("re2js");
  try {
    const expression = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return (text) => expression.matcher(text).find();
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /u, "") : "";
    throw new MemsvcError("invalid_input", `config.pattern is not an RE2 expression: ${reason}`, {
      hint: "RE2 has no lookaround and no backreferences: https://github.com/google/re2/wiki/Syntax",
      issues: [{ path: "config.pattern", message: `must be an RE2 expression: ${reason}` }],
      cause: error,
    });
  }
}

/** The fields of an observation that a pattern may be matched against. */
export interface SearchedObservation {
  readonly title: string;
  readonly subtitle: string | null;
  readonly narrative: string;
  /** A JSON array of texts. */
  readonly facts: string;
}

export function searchedText(field: PatternConfig["field"], observation: SearchedObservation): string {
  const { title, subtitle, narrative, facts } = observation;
  switch (field) {
    case "title":
      return title;
    case "narrative":
      return narrative;
    case "any":
      return [title, subtitle ?? "", narrative, ...textsIn(facts)].join("\n");
  }
}

import { MemsvcError } from "../../operation/errors.ts";
import { textsIn } from "../../store/json-columns.ts";
import type { PatternConfig } from "./config.ts";

/** Whether a text holds what a pattern describes. */
export type Matcher = (text: string) => boolean;

/** Made of an RE2 expression: it takes time in proportion to the text, whatever it says. Error: invalid_input. */
export async function matcherOf(pattern: string): Promise<Matcher> {
  // Few commands have to do with patterns, and the library takes some milliseconds to load.
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

/** What a pattern may be held against. */
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

/*
 * Facts noted by rules have the form `label: text`. Code that looks for certain facts gets their label here.
 */

export type FactLabel =
  | "exit code"
  | "error"
  | "changed file"
  | "change"
  | "command"
  | "tests"
  | "url"
  | "query"
  | "decision"
  | "preference";

export function labelledFact(label: FactLabel, text: string): string {
  return `${label}: ${text}`;
}

/**
 * The text of a fact after its label; undefined when it has another label or none, as facts of a model do.
 */
export function textAfterLabel(label: FactLabel, fact: string): string | undefined {
  const beginning = labelledFact(label, "");
  return fact.startsWith(beginning) ? fact.slice(beginning.length) : undefined;
}

/** The texts of all facts with a label, in order. */
export function textsAfterLabel(label: FactLabel, facts: readonly string[]): string[] {
  return facts.flatMap((fact) => textAfterLabel(label, fact) ?? []);
}

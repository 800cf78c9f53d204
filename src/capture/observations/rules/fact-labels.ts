/* What rules note of an event are lines `label: text`. Who looks for a certain fact asks for its label here. */

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

/** What a fact says behind its label; undefined when it has another label, or none as those of a model. */
export function textBehind(label: FactLabel, fact: string): string | undefined {
  const beginning = labelledFact(label, "");
  return fact.startsWith(beginning) ? fact.slice(beginning.length) : undefined;
}

/** What all facts with a label say, in their order. */
export function textsBehind(label: FactLabel, facts: readonly string[]): string[] {
  return facts.flatMap((fact) => textBehind(label, fact) ?? []);
}

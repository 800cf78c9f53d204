/*
 * Facts noted by rules have the form `label: text`. Code that looks for certain facts gets their label here.
 */

/** Labels of facts that say how an event went, and nothing that holds beyond it. */
export const momentaryLabels = ["exit code", "change", "changed file", "tests"] as const;
const lastingLabels = ["error", "command", "url", "query", "decision", "preference"] as const;
const factLabels = [...momentaryLabels, ...lastingLabels];

export type FactLabel = (typeof factLabels)[number];

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

/** The text of a fact with any of the labels; undefined for other texts. */
export function textAfterAnyLabel(fact: string): string | undefined {
  for (const label of factLabels) {
    const text = textAfterLabel(label, fact);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The texts of all facts with a label, in order. */
export function textsAfterLabel(label: FactLabel, facts: readonly string[]): string[] {
  return facts.flatMap((fact) => textAfterLabel(label, fact) ?? []);
}

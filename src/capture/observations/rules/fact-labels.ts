/*
 * Facts noted by rules have the form `label: text`. Code that looks for certain facts gets their label here.
 */

/** Labels of facts that say how an event went, and nothing that holds beyond it. */
export const momentaryLabels = ["exit code", "change", "changed file", "tests"] as const;
/** Labels of facts that name what a tool was called for, and state nothing about it. */
const callLabels = ["command", "url", "query"] as const;
const statingLabels = ["error", "decision", "preference"] as const;
const factLabels = [...momentaryLabels, ...callLabels, ...statingLabels];

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

/** Whether a fact only names what a tool was called for. */
export function namesOnlyCall(fact: string): boolean {
  return callLabels.some((label) => textAfterLabel(label, fact) !== undefined);
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

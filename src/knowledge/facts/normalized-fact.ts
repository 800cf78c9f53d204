import { withoutPlumbing } from "../../capture/observations/commands/command-kind.ts";
import { labelledFact, textAfterLabel } from "../../capture/observations/rules/fact-labels.ts";

/**
 * A fact noted by an observation, in the form in which it is compared: a command without pipes that only cut
 * its output, a decision without its label.
 */
export function normalizedFact(noted: string): string {
  const command = textAfterLabel("command", noted);
  if (command !== undefined) return labelledFact("command", withoutPlumbing(command));
  return textAfterLabel("decision", noted) ?? noted;
}

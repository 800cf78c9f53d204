import { withoutPlumbing } from "../../capture/observations/rules/command-kind.ts";
import { labelledFact, textBehind } from "../../capture/observations/rules/fact-labels.ts";

/** What a fact that an observation notes says of the project. The same command is run with its output cut in many ways. */
export function normalizedFact(noted: string): string {
  const command = textBehind("command", noted);
  if (command !== undefined) return labelledFact("command", withoutPlumbing(command));
  return textBehind("decision", noted) ?? noted;
}

import { isAgentNote } from "../../capture/observations/prose/agent-notes.ts";
import { isForGood, lastingPreferencesIn } from "../../capture/observations/prose/cues.ts";
import type { RulingPrompt } from "../../capture/observations/reads/ruling-prompts.ts";
import { textsAfterLabel } from "../../capture/observations/rules/fact-labels.ts";
import { lowerCase } from "../../text/lower-case.ts";
import { withoutSentenceEnd } from "../../text/sentence-ends.ts";
import { type Decision, standing } from "./replaced-decisions.ts";
import { toldDecisions } from "./told-decisions.ts";

/** More than are shown: decisions of the last sessions are told with these. */
const mostRules = 50;

/** What the user once decided or preferred, in the words of the prompt. */
export interface StatedRule extends Decision {
  readonly kind: "decision" | "preference";
}

/**
 * The rules in prompts (newest first) that still hold, those first that are meant for good: `never`, `always`, `from
 * now on`. They hold however many sessions ago they were stated.
 */
export function statedRules(prompts: readonly RulingPrompt[], others: readonly Decision[]): StatedRule[] {
  const stated = new Map<string, StatedRule>();
  for (const prompt of prompts)
    for (const rule of rulesIn(prompt)) {
      const said = lowerCase(withoutSentenceEnd(rule.text));
      if (!stated.has(said)) stated.set(said, rule);
    }
  const held = standing([...stated.values()], others);
  return [...held.filter(isLasting), ...held.filter((rule) => !isLasting(rule))].slice(0, mostRules);
}

function rulesIn({ timestamp: at, narrative, facts }: RulingPrompt): StatedRule[] {
  if (isAgentNote(narrative)) return [];
  const preferences = lastingPreferencesIn(narrative);
  const decisions = toldDecisions(textsAfterLabel("decision", facts)).filter(
    (text) => !preferences.includes(text),
  );
  return [
    ...decisions.map((text) => ({ kind: "decision", text }) as const),
    ...preferences.map((text) => ({ kind: "preference", text }) as const),
  ].map((rule, place) => ({ ...rule, at, place }));
}

function isLasting({ kind, text }: StatedRule): boolean {
  return kind === "preference" || isForGood(text);
}

import { lowerCase } from "../../../text/lower-case.ts";
import { foreignDecisionCue, foreignPreferenceCue } from "./foreign-cues.ts";
import { sentencesOf } from "./sentences.ts";

// The cue words are those of the contract on observations ("decision cue", "preference cue"). In French
// `chose` means thing.
const decisionCue =
  /\b(?:decided to|we will|we['’]ll use|let['’]s use|going with|instead of|switch to|(?<!(?:quelque|autre|grand|même|de|la|une|cette|peu de) )chose|choose|agreed|from now on|must|never|always)\b/i;
const lastingCues = "prefer(?:s|red)?|please use|don['’]t use|do not use";
const lastingCue = new RegExp(String.raw`\b(?:${lastingCues})\b`, "i");
const preferenceCue = new RegExp(String.raw`\b(?:${lastingCues}|I like|I want)\b`, "i");

/** Whether the text states a decision or a lasting rule. */
export function hasDecisionCue(text: string): boolean {
  return decisionCue.test(text) || foreignDecisionCue.test(lowerCase(text));
}

/** Whether the text states what somebody wants or likes. */
export function hasPreferenceCue(text: string): boolean {
  return preferenceCue.test(text) || foreignPreferenceCue.test(lowerCase(text));
}

/**
 * The sentences of a prompt that state how the user wants work done in general. Questions and sentences with
 * only `I want` or `I like` are left out: these are mostly about the present task.
 */
export function lastingPreferencesIn(prompt: string): string[] {
  return [...sentencesOf(prompt)].filter(
    (sentence) =>
      !/[?？]$/u.test(sentence) &&
      (lastingCue.test(sentence) || foreignPreferenceCue.test(lowerCase(sentence))),
  );
}

interface CueSentences {
  readonly decisions: readonly string[];
  readonly preferences: readonly string[];
}

/**
 * The first sentences with a cue, of a prompt or an assistant's text: at most 3 decisions and 1 preference.
 */
export function cueSentencesOf(text: string): CueSentences {
  const decisions: string[] = [];
  const preferences: string[] = [];
  // A text without a cue has no sentence with one, so the search can be skipped.
  const mostDecisions = hasDecisionCue(text) ? 3 : 0;
  const mostPreferences = hasPreferenceCue(text) ? 1 : 0;
  if (mostDecisions + mostPreferences === 0) return { decisions, preferences };
  for (const sentence of sentencesOf(text)) {
    if (decisions.length < mostDecisions && hasDecisionCue(sentence)) decisions.push(sentence);
    if (preferences.length < mostPreferences && hasPreferenceCue(sentence)) preferences.push(sentence);
    if (decisions.length === mostDecisions && preferences.length === mostPreferences) break;
  }
  return { decisions, preferences };
}

import { onlyAscii } from "../../../text/scripts.ts";
import type { CuePatterns } from "./cue-patterns.ts";
import { eastAsianCues } from "./east-asian-cues.ts";
import { northEastCues } from "./north-east-cues.ts";
import { slavicCues } from "./slavic-cues.ts";
import { westernCues } from "./western-cues.ts";

/*
 * Phrases of other languages than English for decisions and preferences: few, and none that occur in ordinary requests
 * (`immer noch`, `toujours`, `siempre`). Texts are given in lower case. Gaps are bounded, so that matching is linear.
 */

const cyrillic = /[\u0400-\u04ff]/;
const eastAsian = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

function matches(text: string, kind: keyof CuePatterns): boolean {
  if (westernCues[kind].test(text) || northEastCues[kind].test(text)) return true;
  if (onlyAscii.test(text)) return false;
  return (
    (cyrillic.test(text) && slavicCues[kind].test(text)) ||
    (eastAsian.test(text) && eastAsianCues[kind].test(text))
  );
}

export function hasForeignDecisionCue(text: string): boolean {
  return matches(text, "decision");
}

/** Whether a text with such a cue goes beyond the present task. */
export function isForeignForGood(text: string): boolean {
  return matches(text, "forGood");
}

export function hasForeignPreferenceCue(text: string): boolean {
  return matches(text, "preference");
}

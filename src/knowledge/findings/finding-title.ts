import { oneLineOfWords } from "../../text/cut.ts";
import { withoutSentenceEnd } from "../../text/sentence-ends.ts";
import { firstSentence } from "../../text/sentences.ts";
import { ownWordsOf } from "./finding-cues.ts";
import type { Finding } from "./findings-in.ts";
import { namesTrouble } from "./trouble.ts";

/* The title of a finding is what went wrong, because that is what the next one who sees it searches for. */

const longestTitle = 100;
const fewestWords = 2;

const effects = [
  /\breason (?:for|why|that)? ?(?<effect>[^.!?;]{3,120}?) (?:is|was|were|turned out)\b/i,
  /\b(?:cause|culprit)(?: of| for| behind) (?<effect>[^.!?;]{3,120}?) (?:is|was|were|turned out)\b/i,
  /^(?<effect>.{3,160}?),? (?:(?:was|were|is|are|has been|had been|being) )?(?:actually |really |simply )?(?:because(?: of)?|due to|owing to|caused by|triggered by|introduced by|since|(?:came|comes|stem(?:s|med)|result(?:s|ed)|arises?|arose) from)\b/i,
  /(?:which|that) (?:is|was|explains) why (?<effect>[^.!?;]{3,120})/i,
];
/** `It failed`, `this happened`, `the error`: what these mean is said elsewhere. */
const pointsBack =
  /^(?:it|this|that|these|those|they|he|she|we|i|what)\b|^(?:the|this|that|my|our) (?:(?:same|whole|real|original|other|first|actual|underlying) )?(?:problem|issue|bug|error|failure|crash|cause|reason|fix|culprit|test|build)s?$/i;
const opening =
  /^(?:[\s*_#>-]|(?:fix|feat|bug|chore|perf|refactor|test|docs|build|ci)(?:\([^)]{1,40}\))?!?:\s|(?:so|and|but|ok(?:ay)?|yes|fixed|done|found it|diagnosis|(?:root )?cause|after [^:.]{1,40})[,.:!]\s)+/i;

/** The title of a finding; `asked` is what the agent was asked to do. */
export function findingTitle({ cause, before }: Finding, asked: string | undefined): string {
  const title = effectIn(cause) ?? (tells(before) ? before : undefined) ?? asked ?? cause;
  const line = oneLineOfWords(withoutSentenceEnd(firstSentence(plain(title), longestTitle)), longestTitle);
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
}

function effectIn(cause: string): string | undefined {
  for (const pattern of effects) {
    const effect = pattern.exec(plain(cause))?.groups?.effect?.trim();
    if (effect !== undefined && isTelling(effect)) return effect;
  }
  return undefined;
}

function tells(before: string | undefined): before is string {
  return before !== undefined && namesTrouble(ownWordsOf(before)) && isTelling(plain(before));
}

function isTelling(effect: string): boolean {
  return effect.split(/\s+/).length >= fewestWords && !pointsBack.test(effect);
}

function plain(sentence: string): string {
  return sentence
    .replace(opening, "")
    .replace(/\*\*|__/g, "")
    .trim();
}

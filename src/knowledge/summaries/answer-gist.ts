import { oneLine } from "../../text/cut.ts";
import { dictionaryScripts } from "../../text/scripts.ts";
import { withoutSentenceEnd, withSentenceEnd } from "../../text/sentence-ends.ts";
import { firstSentence, sentencesOf } from "../../text/sentences.ts";

/* The gist of an agent's answers: mostly their first sentences. */

const longestGist = 300;
/** A first sentence with fewer words says too little. */
const fewestWords = 4;

/**
 * The gist of the last answer. If it says as little as `Pushed.`, the gist of the last informative answer is
 * added.
 */
export function finalGist(answers: readonly string[]): string[] {
  const last = answers.at(-1);
  if (last === undefined) return [];
  const end = gistOf(last);
  if (!saysLittle(end)) return [end];
  const before = answers.findLast(isInformative);
  return [
    before === undefined
      ? end
      : `${withoutSentenceEnd(end)} (before that: ${withoutSentenceEnd(gistOf(before))})`,
  ];
}

/** Whether an answer says more than a word or two. */
export function isInformative(answer: string): boolean {
  return !saysLittle(gistOf(answer));
}

/** The gists of the informative answers. */
export function informativeGists(answers: readonly string[]): string[] {
  return answers.map(gistOf).filter((conclusion) => !saysLittle(conclusion));
}

/** The first sentence of an answer; if it says as little as `All done.`, with the next one. */
function gistOf(answer: string): string {
  const first = firstSentence(answer, longestGist);
  if (!saysLittle(first)) return first;
  const sentences = [...sentencesOf(answer)].filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const [next] = sentences.slice(1);
  return next === undefined ? first : oneLine(`${withSentenceEnd(first)} ${next}`, longestGist);
}

/** In scripts without spaces between words, letters are counted instead of words. */
const unspacedSentence = new RegExp(`[${dictionaryScripts}]{6}`, "u");

function saysLittle(sentence: string): boolean {
  return sentence.split(/\s+/u).length < fewestWords && !unspacedSentence.test(sentence);
}

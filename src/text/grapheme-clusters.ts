import { matchAt } from "./match-at.ts";
import { scriptPattern } from "./script-pattern.ts";

/*
 * A user-perceived character may consist of several code points: a Hindi consonant and its vowel sign, or the joined
 * parts of an emoji.
 */

const firstMark = 0x300;
const joiner = "\u200d";
const joining = scriptPattern(String.raw`\u200d|\p{M}|\p{EMod}`, "y");
/** In code units. Longer sequences are no character of any language. */
const longestCharacter = 32;

/**
 * The text before `end`, shortened so that it does not split a user-perceived character. `end` must not be inside a
 * surrogate pair.
 */
export function cutAtGrapheme(text: string, end: number): string {
  if (end >= text.length) return text;
  let place = end;
  while (place > 0 && end - place < longestCharacter && goesOn(text, place))
    place -= isLowHalf(text.charCodeAt(place - 1)) ? 2 : 1;
  return text.slice(0, goesOn(text, place) ? end : place);
}

function goesOn(text: string, place: number): boolean {
  if (text.charAt(place - 1) === joiner) return true;
  if (!(text.charCodeAt(place) >= firstMark)) return false;
  return matchAt(joining(text.slice(place, place + 2)), text, place) !== null;
}

function isLowHalf(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

import { dictionaryScripts } from "../../../text/scripts.ts";

/*
 * The words of a text that may be concepts: those of four letters and more. Scripts without spaces are split
 * by the runtime's dictionaries; two ideographs, or two characters of Katakana, count as a word. The
 * dictionaries lack Japanese loan words, but the script shows where these end. Words of Hiragana alone are
 * grammar and are left out.
 */

const plainWord = /[a-z]{4,}/g;
// Plain letters, and everything beyond ASCII for a closer look: matching \p{L} is ten times slower.
const wordCandidate = /[a-z\u0080-\uffff]{4,}|[\u2e80-\uffff]{2,}/g;
const beyondAscii = /[\u0080-\uffff]/;
const katakana = "\\p{Script=Katakana}\\u30FC";
/** Splitting a hundred characters by dictionaries takes half a millisecond. */
const mostParted = 2048;

/** The words of a text in lower case, in order and with repetitions. */
export function* wordsIn(lower: string): Generator<string> {
  if (!beyondAscii.test(lower)) return yield* lower.match(plainWord) ?? [];
  let toPart = mostParted;
  for (const candidate of lower.match(wordCandidate) ?? []) {
    if (!beyondAscii.test(candidate)) yield candidate;
    else {
      const { spacedOrNot, hasNoBlanks } = patterns();
      for (const run of candidate.match(spacedOrNot) ?? []) {
        if (!hasNoBlanks.test(run)) yield run;
        else if (toPart > 0) {
          yield* wordsOfRun(run.slice(0, toPart));
          toPart -= run.length;
        }
      }
    }
  }
}

function* wordsOfRun(run: string): Generator<string> {
  const { segmenter, borrowed, shortWord, longWord } = patterns();
  if (borrowed.test(run)) return yield run;
  for (const { segment } of segmenter.segment(run)) {
    if (shortWord.test(segment) || longWord.test(segment)) yield segment;
  }
}

type Patterns = ReturnType<typeof makePatterns>;
let made: Patterns | undefined;

/** Created at the first text that needs them: loading Unicode classes and dictionaries takes milliseconds. */
function patterns(): Patterns {
  made ??= makePatterns();
  return made;
}

function makePatterns() {
  return {
    // A combining mark belongs to the letter before it: vowels of many scripts, accents without a letter of
    // their own.
    spacedOrNot: new RegExp(
      `[${katakana}]+|(?:(?![${katakana}])[${dictionaryScripts}])+|(?![${dictionaryScripts}])\\p{L}(?:(?![${dictionaryScripts}])[\\p{L}\\p{M}]){3,}`,
      "gu",
    ),
    borrowed: new RegExp(`^[${katakana}]{2,}$`, "u"),
    hasNoBlanks: new RegExp(`^[${dictionaryScripts}]`, "u"),
    shortWord: /^\p{Script=Han}{2,}$/u,
    longWord: /^(?!\p{Script=Hiragana}+$).{4,}$/su,
    segmenter: new Intl.Segmenter("und", { granularity: "word" }),
  };
}

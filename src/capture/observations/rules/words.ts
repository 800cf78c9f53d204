import { dictionaryScripts } from "../../../text/scripts.ts";

/*
 * Words by which a text may be named: of four letters and more. Where no blanks part them the runtime's dictionaries do,
 * and two ideographs, or two syllables of Katakana, are as much of a word as four letters. Dictionaries lack words that
 * Japanese borrows, whose script tells where they end; what is of Hiragana alone is grammar.
 */

const plainWord = /[a-z]{4,}/g;
// Plain letters, and everything beyond ASCII to be looked at more closely: a search by \p{L} is ten times slower.
const wordCandidate = /[a-z\u0080-\uffff]{4,}|[\u2e80-\uffff]{2,}/g;
const beyondAscii = /[\u0080-\uffff]/;
const katakana = "\\p{Script=Katakana}\\u30FC";
/** Dictionaries part a hundred characters in half a millisecond. */
const mostParted = 2048;

/** Those of a text in lower case, in order and with repetitions. */
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

/** Made at the first text that needs them: to read the classes and dictionaries of Unicode takes milliseconds. */
function patterns(): Patterns {
  made ??= makePatterns();
  return made;
}

function makePatterns() {
  return {
    // A mark belongs to the letter before it: vowels of many scripts, accents that have no letter of their own.
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

import { indexTokens } from "../../text/tokens.ts";

/*
 * Finds words for ranking. `wordFinder` (passages/word-places.ts), which finds them for display, cannot be used here: it
 * also finds `server` in `HTTPServer` and `using` for `use`, and does not find `clair` in `éclair`, each of which would
 * change scores; and it takes more than twice the time for a text. What is left in common is one loop.
 */

/** The positions of each word in a text, in characters from its beginning, ascending. */
export type Places = ReadonlyMap<string, readonly number[]>;

const plainWord = /^[a-z0-9]+$/;

/** False for compounds and words of other scripts, whose places are not searched for. */
export function isPlainWord(term: string): boolean {
  return plainWord.test(term);
}

/** Makes a function that finds plain words in a text. It tokenizes only words that begin like one of them. */
export function placesOf(terms: readonly string[]): (text: string) => Places {
  if (terms.length === 0) return () => new Map();
  const pattern = new RegExp(terms.map((term) => `${beginningOf(term)}[a-z0-9]*`).join("|"), "gi");
  return (text) => {
    const places = new Map<string, number[]>(terms.map((term) => [term, []]));
    for (const match of text.matchAll(pattern)) {
      if (!beginsWord(text, match.index)) continue;
      for (const token of indexTokens(match[0])) places.get(token)?.push(match.index);
    }
    return places;
  };
}

/** The common beginning of all words with a stem. Their ends may differ from the stem's: `y` becomes `i`. */
function beginningOf(stem: string): string {
  return stem.length > 3 ? stem.slice(0, -1) : stem;
}

/** Whether a word begins here: at the beginning of the text, after no letter or digit, or in camel case. */
function beginsWord(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (!/[a-z0-9]/i.test(before)) return true;
  return /[a-z0-9]/.test(before) && /[A-Z]/.test(text.charAt(at));
}

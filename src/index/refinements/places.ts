import { indexTokens } from "../../text/tokens.ts";

/** Where in a text each word stands: characters from its beginning, ascending. */
export type Places = ReadonlyMap<string, readonly number[]>;

const plainWord = /^[a-z0-9]+$/;

/** Compounds and words of other scripts are not looked for in texts. */
export function isPlainWord(term: string): boolean {
  return plainWord.test(term);
}

/** Finds plain words in texts, looking only where one of them may begin. */
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

/** What every form of a stemmed word begins with: stems end in `i` where words end in `y`. */
function beginningOf(stem: string): string {
  return stem.length > 3 ? stem.slice(0, -1) : stem;
}

/** At the beginning of a text, after what is no letter or digit, or at a hump. */
function beginsWord(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (!/[a-z0-9]/i.test(before)) return true;
  return /[a-z0-9]/.test(before) && /[A-Z]/.test(text.charAt(at));
}

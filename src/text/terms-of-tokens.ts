import { onlyAscii } from "./scripts.ts";
import { tokenSet } from "./similarity.ts";
import { scanText } from "./tokens.ts";

const wordWithMarks = /[\p{L}\p{N}\p{M}\p{Cf}_]+/gu;

/**
 * For each token by which texts are compared (`tokenSet`): the words of the search index that are present wherever the
 * token is. For example, `snake_case` is not an index word where it is part of `a/snake_case.ts`, but `snake` and
 * `case` are. Empty for a token without two letters or digits in a row, such as `___`.
 */
export function termsOfTokens(text: string): Map<string, readonly string[]> {
  if (onlyAscii.test(text)) return new Map([...tokenSet(text)].map((token) => [token, termsOf(token)]));
  const terms = new Map<string, readonly string[]>();
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(wordWithMarks)) {
    const around = termsOf(word);
    const known = new Set(around);
    for (const token of tokenSet(word)) {
      if (terms.has(token)) continue;
      // The index ignores some joiners at which a comparison token ends; then the index words of the surrounding word
      // are used.
      const own = termsOf(token);
      terms.set(token, own.every((term) => known.has(term)) ? own : around);
    }
  }
  return terms;
}

function termsOf(word: string): readonly string[] {
  const { tokens, stops } = scanText(word);
  return [...tokens, ...stops].filter((term) => !term.includes("_"));
}

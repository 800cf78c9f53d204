import { literalPlaces } from "../keyword/literal-places.ts";
import { passageFinder, type SearchedText } from "./passage.ts";
import { type SoughtWord, wordFinder } from "./word-places.ts";

/**
 * Makes a function that finds the best passage for a query; `words`: the words of the query. Without words the query is
 * looked for as it is written.
 */
export function passageByQuery(
  query: string,
  words: readonly (SoughtWord & { readonly weight: number })[],
): (text: SearchedText) => string | undefined {
  return words.length > 0
    ? passageFinder(words, wordFinder(words))
    : passageFinder([{ weight: 1 }], literalPlaces(query));
}

import type { QueryWord } from "../keyword/query-words.ts";
import type { Places } from "./places.ts";

/*
 * A long text is about many things, and what answers a question stands in one place of it. So the longer a text, the
 * more it is judged by the passage that holds most of what the query's words tell, and the less by the words that are
 * scattered over it.
 */

/** Characters. */
const passageLength = 400;
const shortLength = 2_000;
/** Of the score of an endless text. */
const passageShare = 0.7;
/** What a word in the passage is worth, on the scale of BM25F: more than one that is said once, less than one that is said over and over. */
const wordWorth = 1.5;

/** The score of a text of so many characters with its best passage. */
export function withPassage(score: number, length: number, passage: () => number): number {
  if (length <= shortLength) return score;
  const share = passageShare * (1 - shortLength / length);
  return (1 - share) * score + share * wordWorth * passage();
}

/** The most that the different words in any passage of a text tell together. */
export function bestPassage(words: readonly QueryWord[], places: Places): number {
  const marks = words
    .flatMap(({ term, weight }, word) => (places.get(term) ?? []).map((at) => ({ at, word, weight })))
    .sort((a, b) => a.at - b.at);
  const counts = new Uint32Array(words.length);
  let best = 0;
  let told = 0;
  let first = 0;
  for (const { at, word, weight } of marks) {
    const count = (counts[word] ?? 0) + 1;
    counts[word] = count;
    if (count === 1) told += weight;
    for (let out = marks[first]; out !== undefined && at - out.at > passageLength; out = marks[first]) {
      const left = (counts[out.word] ?? 0) - 1;
      counts[out.word] = left;
      if (left === 0) told -= out.weight;
      first += 1;
    }
    best = Math.max(best, told);
  }
  return best;
}

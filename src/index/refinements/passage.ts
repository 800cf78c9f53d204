import type { QueryWord } from "../words/word-index.ts";
import type { Places } from "./places.ts";

/*
 * A long text is about many things, and answers a question in one place. So the longer a text is, the more its score
 * depends on its best passage, the one whose words have the greatest weight, and the less on words scattered over it.
 */

/** In characters. */
const passageLength = 400;
const shortLength = 2_000;
/** The passage's share of the score, in the limit of a very long text. */
const passageShare = 0.7;
/** BM25F of a word in the passage: more than that of a single occurrence, less than that of many. */
const wordWorth = 1.5;

/** The score of a text of `length` characters, combined with that of its best passage. */
export function withPassage(score: number, length: number, passage: () => number): number {
  if (length <= shortLength) return score;
  const share = passageShare * (1 - shortLength / length);
  return (1 - share) * score + share * wordWorth * passage();
}

/** The greatest total weight of the distinct words in any passage of a text. */
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

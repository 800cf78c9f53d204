import { oneSlipAway } from "../../text/slips.ts";
import { indexTokens, withoutMarks } from "../../text/tokens.ts";
import type { WordIndex } from "../words/word-index.ts";
import type { WholeWord } from "./asked-words.ts";

/** Each word is looked up in some hundred spellings. */
const mostWords = 2;

/** For words that no document contains, the known index tokens from which one slip of the hand leads to them. */
export async function readMistyped(
  index: WordIndex,
  strangers: readonly WholeWord[],
  documents: number,
): Promise<{ words: Map<string, readonly string[]>; frequencies: ReadonlyMap<string, number> }> {
  const meant = strangers.flatMap(({ word, token }): [string, readonly string[]][] => {
    const spelt = oneSlipAway(withoutMarks(word));
    const tokens = new Set([...spelt].flatMap((one) => indexTokens(one)));
    tokens.delete(token);
    return tokens.size === 0 ? [] : [[token, [...tokens]]];
  });
  const sought = meant.slice(0, mostWords);
  const frequencies = await index.knownAmong(
    sought.flatMap(([, tokens]) => tokens),
    documents,
  );
  const words = sought.map(
    ([token, tokens]) => [token, tokens.filter((one) => frequencies.has(one))] as const,
  );
  return { words: new Map(words), frequencies };
}

import { synonymsOf } from "../../text/synonyms.ts";
import { toolNames } from "../../text/tool-kinds.ts";
import type { WordIndex } from "../words/word-index.ts";
import { isWholeText } from "./whole-text.ts";

/** What a word of a query may also be called, as far as documents contain it. */
interface RelatedWords {
  /** Index tokens by the token of the query's word. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** Document frequencies of all of them. */
  readonly frequencies: ReadonlyMap<string, number>;
}

const none: RelatedWords = { words: new Map(), frequencies: new Map() };

/**
 * The names of tools whose kind the query mentions, and with `withSynonyms` also the synonyms of its words.
 * `sequence`: the tokens of the query.
 */
export async function readRelatedWords(
  index: WordIndex,
  sequence: readonly string[],
  { documents, withSynonyms }: { readonly documents: number; readonly withSynonyms: boolean },
): Promise<RelatedWords> {
  // Whole texts contain enough words of their own.
  if (isWholeText(sequence)) return none;
  const asked = new Set(sequence);
  const tools = toolNames(sequence);
  const related = [...asked].map((token): [string, readonly string[]] => {
    const words = [...(tools.get(token) ?? []), ...(withSynonyms ? synonymsOf(token) : [])];
    return [token, [...new Set(words)].filter((word) => !asked.has(word))];
  });
  const sought = new Set(related.flatMap(([, words]) => words));
  if (sought.size === 0) return none;
  const frequencies = await index.frequencies([...sought], documents);
  const known = related.map(
    ([token, words]) => [token, words.filter((word) => frequencies.has(word))] as const,
  );
  return { words: new Map(known), frequencies };
}

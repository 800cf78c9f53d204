import { scriptPattern } from "../../text/script-pattern.ts";
import { stopWords } from "../../text/stop-words.ts";
import { foldedName, wordsOf } from "../storage/names.ts";

/** The parts of a query that may be names of nodes. All are folded like names. */
interface QueryPhrases {
  /** Quoted strings, tokens and pairs of tokens that follow each other. */
  readonly phrases: readonly string[];
  /** Words of the phrases, to find names that contain them. */
  readonly words: readonly string[];
}

const mostTokens = 16;
const mostQuoted = 4;
const longestQuery = 2_000;
const quoted = /"([^"\n]{2,200})"|`([^`\n]{2,200})`|“([^”\n]{2,200})”/gu;
/** Punctuation around a token. A combining mark at the end is kept, because it belongs to the last letter. */
const outer = scriptPattern(String.raw`^[^\p{L}\p{N}@#_]+|[^\p{L}\p{M}\p{N}_]+$`, "g");

export function phrasesOf(query: string): QueryPhrases {
  const text = query.slice(0, longestQuery);
  const inQuotes = [...text.matchAll(quoted)]
    .slice(0, mostQuoted)
    .map(([, ...groups]) => groups.find((group) => group !== undefined) ?? "");
  const tokens = text
    .split(/\s+/u)
    .map((token) => foldedName(token.replace(outer(token), "")))
    .filter((token) => token.length >= 2 && !stopWords.has(token));
  const kept = [...new Set(tokens)].slice(0, mostTokens);
  const pairs = kept.slice(1).map((token, at) => `${kept[at]} ${token}`);
  const phrases = new Set([...inQuotes.map((phrase) => foldedName(phrase.trim())), ...kept, ...pairs]);
  const words = new Set(
    [...inQuotes, ...kept].flatMap(wordsOf).filter((word) => word.length >= 2 && !stopWords.has(word)),
  );
  return { phrases: [...phrases], words: [...words].slice(0, mostTokens) };
}

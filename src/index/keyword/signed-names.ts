import type { Sql } from "../../store/sql.ts";
import { spacedLetter } from "../../text/scripts.ts";
import { thousandsInParts } from "../../text/thousands.ts";
import { indexTokens } from "../../text/tokens.ts";
import type { SearchQuestion } from "../search-streams.ts";
import { inverseDocumentFrequency, saturated } from "./bm25f.ts";
import type { Candidate } from "./candidate.ts";
import { count, countersOf } from "./counts.ts";
import { literalSearch } from "./wordless-search.ts";

/*
 * Names with signs, such as `C#`, `C++`, an emoji or the flag `--filter`, and counts such as `30秒` and `10,000`. The
 * index does not contain them, or only their letters, but a query with such a name is about texts that contain it
 * literally.
 */

const oneLetter = `(?<!${spacedLetter})\\p{L}(?:\\+\\+|#)(?!${spacedLetter})`;
const flag = String.raw`(?<![\p{L}\p{N}-])--\p{L}[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*`;
const signedName = `${oneLetter}|${flag}|${count}|\\p{Extended_Pictographic}`;
/**
 * A quick test first: most queries have no such name, and patterns with Unicode classes take milliseconds to compile.
 */
const anySign = /--|\d[\u{e00}-\u{fffff}]|[#+\u{a9}\u{ae}\u{203c}-\u{3299}\u{1f000}-\u{1ffff}]/u;
/** In characters. Longer queries are mostly pasted texts, whose signs are not meant. */
const longestQuery = 200;
const mostNames = 2;
const documentsNamed = 100;

export interface SignedNames {
  /** The newest documents that contain any of the names. */
  readonly ids: readonly number[];
  /** The score to add for the names that a document contains. */
  scoreOf(candidate: Candidate): number;
  /** A document's coverage of words and names, from its coverage of the words and `told`, the sum of their weights. */
  coverageOf(candidate: Candidate, ofWords: number, told: number): number;
}

function namesIn(query: string): string[] {
  const signed = anySign.test(query) ? (query.match(new RegExp(signedName, "gu")) ?? []) : [];
  return [...new Set([...signed, ...thousandsInParts(query)])].slice(0, mostNames);
}

const noNames: SignedNames = { ids: [], scoreOf: () => 0, coverageOf: (_, ofWords) => ofWords };

export async function readSignedNames(
  sql: Sql,
  { query, scope }: Pick<SearchQuestion, "query" | "scope">,
  documents: number,
): Promise<SignedNames> {
  const names = query.length <= longestQuery ? namesIn(query) : [];
  const told = new Map<number, number>();
  let all = 0;
  for (const name of names) {
    const question = { query: name, scope, limit: documentsNamed };
    const counters = countersOf(name);
    const words = indexTokens(name).filter((token) => !counters.has(token));
    const hits = await literalSearch(sql, question, words);
    const tells = inverseDocumentFrequency(documents, hits.length);
    all += tells;
    for (const { id } of hits) told.set(id, (told.get(id) ?? 0) + tells);
  }
  if (told.size === 0) return noNames;
  return {
    ids: [...told.keys()],
    scoreOf: ({ id, saturation }) => (told.get(id) ?? 0) * saturated(1, saturation),
    coverageOf: ({ id }, ofWords, ofAllWords) =>
      (ofWords * ofAllWords + (told.get(id) ?? 0)) / (ofAllWords + all),
  };
}

import type { Sql } from "../../store/sql.ts";
import { indexTokens } from "../../text/tokens.ts";
import type { SearchScope } from "../scope.ts";
import { inverseDocumentFrequency, saturated } from "./bm25f.ts";
import type { Candidate } from "./candidate.ts";
import { literalSearch } from "./wordless-search.ts";

/*
 * Names that are no words, such as `C#`, `C++`, an emoji or the flag `--filter`. The index does not know them, or their
 * words alone, but whoever asks for one means texts that have it.
 */

const oneLetter = String.raw`(?<![\p{L}\p{N}])\p{L}(?:\+\+|#)(?![\p{L}\p{N}])`;
const flag = String.raw`(?<![\p{L}\p{N}-])--\p{L}[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*`;
const signedName = new RegExp(String.raw`${oneLetter}|${flag}|\p{Extended_Pictographic}`, "gu");
/** Most queries have none, and to read classes of Unicode takes milliseconds. */
const anySign = /--|[#+\u{a9}\u{ae}\u{203c}-\u{3299}\u{1f000}-\u{1ffff}]/u;
/** Characters: what is pasted has signs that nobody asks for. */
const longestQuery = 200;
const mostNames = 2;
const documentsNamed = 100;

export interface SignedNames {
  /** The newest documents that have any of them. */
  readonly ids: readonly number[];
  /** What the names in a document add to its score. */
  scoreOf(candidate: Candidate): number;
  /** The share of a query that a document covers, of whose words it covers such a share; `told` is what they tell. */
  coverageOf(candidate: Candidate, ofWords: number, told: number): number;
}

const noNames: SignedNames = { ids: [], scoreOf: () => 0, coverageOf: (_, ofWords) => ofWords };

export async function readSignedNames(
  sql: Sql,
  query: string,
  scope: SearchScope,
  documents: number,
): Promise<SignedNames> {
  const mayName = query.length <= longestQuery && anySign.test(query);
  const names = mayName ? [...new Set(query.match(signedName))].slice(0, mostNames) : [];
  const told = new Map<number, number>();
  let all = 0;
  for (const name of names) {
    const hits = await literalSearch(sql, name, scope, documentsNamed, indexTokens(name));
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

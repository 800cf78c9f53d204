import type { Sql } from "../store/sql.ts";
import { queryTokens } from "../text/tokens.ts";
import { bm25f, inverseDocumentFrequency, type WeightedTerm, weightedLength } from "./bm25f.ts";
import { findCandidates } from "./candidates.ts";
import { openForward, termHash } from "./forward.ts";
import { type Ranked, readHits, type SearchHit } from "./hits.ts";
import { isInScope, type Scoped, type SearchScope, scopeGroups } from "./scope.ts";
import { documentFrequencies, readCollection } from "./term-frequency.ts";

export type { SearchScope } from "./scope.ts";

/** `score` is BM25F, above 0. */
export type KeywordHit = SearchHit;

/**
 * Documents that hold any word of the query, best first; words that tell little only order what others find.
 * With `findBy`, no more than so many of the rarest words find documents, which bounds the work for a long text.
 */
export async function keywordSearch(
  sql: Sql,
  query: string,
  scope: SearchScope,
  limit: number,
  findBy?: number,
): Promise<KeywordHit[]> {
  const words = [...new Set(queryTokens(query))].slice(0, maxWords);
  if (words.length === 0 || limit < 1) return [];
  const collection = await readCollection(sql);
  const frequencies = await documentFrequencies(sql, words, collection.documents);
  const rarestFirst = [...frequencies].sort(([, a], [, b]) => a - b).slice(0, maxTerms);
  if (rarestFirst.length === 0) return [];

  const weighted = rarestFirst.map(([term, frequency]) => ({
    hash: termHash(term),
    weight: inverseDocumentFrequency(collection.documents, frequency),
  }));
  const averageLength = weightedLength(collection.averageLengths);
  const rank = async (finding: readonly TermFrequency[]) => {
    const terms = finding.map(([term, documents]) => ({ term, documents }));
    const sought = { terms, scope: scopeGroups(scope), documents: collection.documents };
    const ids = await findCandidates(sql, sought, limit);
    return rankCandidates(sql, ids, weighted, averageLength, scope);
  };

  if (findBy !== undefined) {
    const ranked = await rank(rarestFirst.slice(0, findBy));
    return readHits(sql, ranked.slice(0, limit));
  }
  const telling = tellingTerms(rarestFirst, collection.documents);
  let ranked = await rank(telling);
  if (ranked.length < limit && telling.length < rarestFirst.length) ranked = await rank(rarestFirst);
  return readHits(sql, ranked.slice(0, limit));
}

type TermFrequency = readonly [term: string, documents: number];

/** A query may be a whole text, as the check for near-duplicates sends. */
const maxWords = 128;
const maxTerms = 48;
/** Terms find candidates while together they stand in at most 2 % of the documents, but always two of them. */
const tellingShare = 0.02;
const alwaysTelling = 2;
/** In a store this small every word may find candidates. */
const cheapMatches = 2_000;

function tellingTerms(rarestFirst: readonly TermFrequency[], documents: number): readonly TermFrequency[] {
  const budget = Math.max(cheapMatches, tellingShare * documents);
  let sum = 0;
  const end = rarestFirst.findIndex(([, frequency], at) => {
    sum += frequency;
    return sum > budget && at >= alwaysTelling;
  });
  return end < 0 ? rarestFirst : rarestFirst.slice(0, end);
}

async function rankCandidates(
  sql: Sql,
  ids: readonly number[],
  terms: readonly WeightedTerm[],
  averageLength: number,
  scope: SearchScope,
): Promise<Ranked[]> {
  const rows = await sql.all<
    Scoped & { id: number; hiddenAfter: number | null; forward: Uint8Array | ArrayBuffer }
  >(
    `SELECT documents.id, kind, project_key AS projectKey, agent_id AS agentId, created_at AS createdAt,
      hidden_after AS hiddenAfter, forward
    FROM json_each(?) AS candidate CROSS JOIN documents ON documents.id = candidate.value`,
    [JSON.stringify(ids)],
  );
  return rows
    .filter((row) => isInScope(scope, row))
    .map((row) => ({ id: row.id, score: bm25f(openForward(row.forward), terms, averageLength) }))
    .sort((a, b) => b.score - a.score || b.id - a.id);
}

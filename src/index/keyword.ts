import type { Sql } from "../store/sql.ts";
import { scoredByTheirLike } from "./alike.ts";
import { readAnswers } from "./answers.ts";
import { weightedLength } from "./bm25f.ts";
import { findCandidates } from "./candidates.ts";
import { feedbackScores } from "./feedback.ts";
import type { Ranked, SearchHit } from "./hits.ts";
import { bestPassage, withPassage } from "./passage.ts";
import { isPlainWord, placesOf } from "./places.ts";
import { closenessOf, neighbouringWords } from "./proximity.ts";
import { type QueryWords, readQueryWords, type WordForm } from "./query-words.ts";
import { type Candidate, rankCandidates } from "./ranked-candidates.ts";
import { type SearchScope, scopeGroups } from "./scope.ts";
import { judgeInSurroundings } from "./surroundings.ts";
import { readCollection } from "./term-frequency.ts";

export type { SearchScope } from "./scope.ts";

/** `score` is BM25F and what the refinements add, above 0. */
export type KeywordHit = SearchHit;

export interface KeywordOptions {
  /** No more than so many of the rarest words find documents, which bounds the work for a long text. */
  readonly findBy?: number;
  /** BM25F alone: each document by its own words and nothing else. */
  readonly plain?: boolean;
}

/** Documents that hold any word of the query, best first; words that tell little only order what others find. */
export async function keywordSearch(
  sql: Sql,
  query: string,
  scope: SearchScope,
  limit: number,
  options: KeywordOptions = {},
): Promise<KeywordHit[]> {
  const collection = await readCollection(sql);
  const precision = options.findBy === undefined ? "current" : "rough";
  const asked = await readQueryWords(sql, query, collection.documents, precision);
  if (asked.words.length === 0 || limit < 1) return [];
  const rarestFirst = asked.words.flatMap(({ forms }) => forms).sort((a, b) => a.documents - b.documents);
  const averageLength = weightedLength(collection.averageLengths);
  const score = (ids: readonly number[]) => rankCandidates(sql, ids, asked.words, averageLength, scope);
  const rank = async (terms: readonly WordForm[]) => {
    const find = (within: SearchScope) =>
      findCandidates(sql, { terms, scope: scopeGroups(within), documents: collection.documents }, limit);
    const ids = await find(scope);
    if (scope.leansTo !== undefined) ids.push(...(await find({ ...scope, ...scope.leansTo })));
    return score([...new Set(ids)]);
  };

  const telling = tellingTerms(rarestFirst, collection.documents, options.findBy);
  let candidates = await rank(telling);
  const isShort = candidates.length < limit && telling.length < rarestFirst.length;
  if (isShort && options.findBy === undefined) candidates = await rank(rarestFirst);
  const ranked =
    options.plain === true
      ? candidates.map((candidate) => hitOf(candidate, candidate.score, coverageOf(candidate.parts, asked)))
      : await refined(sql, await answered(sql, candidates, score), asked, scope);
  if (options.plain !== true && isFarFetched(ranked, asked, collection.documents)) return [];
  return ranked.slice(0, limit);
}

type Covered = SearchHit & { readonly coverage: number };

function hitOf(candidate: Candidate, score: number, coverage: number): Covered {
  const { id, kind, ref, sessionId, createdAt, importance } = candidate;
  return { id, kind, ref, sessionId, createdAt, importance, score, coverage };
}

/**
 * A question whose telling words stand nowhere finds what shares an odd word with it, and nothing is a more honest
 * answer. A whole text always shares little, and in a tiny store no word tells much: both keep what they find.
 */
const farFetched = 0.1;
const longestQuestion = 16;
const tinyCollection = 50;

function isFarFetched(ranked: readonly Covered[], { sequence }: QueryWords, documents: number): boolean {
  if (documents < tinyCollection || new Set(sequence).size > longestQuestion) return false;
  return ranked.every(({ coverage }) => coverage < farFetched);
}

/** Terms find candidates while together they stand in at most 2 % of the documents, but always two of them. */
const tellingShare = 0.02;
const alwaysTelling = 2;
/** In a store this small every word may find candidates. */
const cheapMatches = 2_000;

function tellingTerms(
  rarestFirst: readonly WordForm[],
  documents: number,
  findBy: number | undefined,
): readonly WordForm[] {
  if (findBy !== undefined) return rarestFirst.slice(0, findBy);
  const budget = Math.max(cheapMatches, tellingShare * documents);
  let sum = 0;
  const end = rarestFirst.findIndex((form, at) => {
    sum += form.documents;
    return sum > budget && at >= alwaysTelling;
  });
  return end < 0 ? rarestFirst : rarestFirst.slice(0, end);
}

/** The texts of so many are looked at, and so much of each, for so many words. */
const closelyRead = 16;
const readLength = 8_000;
const lookedFor = 24;

interface Answered {
  readonly candidates: readonly Candidate[];
  /** Ids of candidates that answer another, each with the id of its question. */
  readonly answers: ReadonlyMap<number, number>;
}

/** Adds what answers the questions among the candidates. */
async function answered(
  sql: Sql,
  candidates: readonly Candidate[],
  score: (ids: readonly number[]) => Promise<Candidate[]>,
): Promise<Answered> {
  const answers = await readAnswers(sql, candidates);
  const known = new Set(candidates.map(({ id }) => id));
  const strangers = [...answers.keys()].filter((id) => !known.has(id));
  return {
    candidates: strangers.length === 0 ? candidates : [...candidates, ...(await score(strangers))],
    answers,
  };
}

/** Ranks again by what the words of one document alone do not tell. */
async function refined(
  sql: Sql,
  { candidates, answers }: Answered,
  asked: QueryWords,
  scope: SearchScope,
): Promise<Covered[]> {
  const placed = judgeInSurroundings(candidates, answers);
  const added = feedbackScores(
    candidates,
    placed.map(({ score }) => score),
    asked.words,
  );
  const questions = new Set(answers.values());
  const priors = candidates.map(
    (candidate) => priorOf(candidate, scope) * (questions.has(candidate.id) ? questionWorth : 1),
  );
  const judged = scoredByTheirLike(
    candidates,
    priors.map((prior, at) => prior * ((placed[at]?.score ?? 0) + (added[at] ?? 0))),
  );
  const ranked = candidates
    .map((candidate, at) => ({
      prior: priors[at] ?? 1,
      hit: hitOf(candidate, judged[at] ?? 0, coverageOf(placed[at]?.near ?? candidate.parts, asked)),
    }))
    .sort((a, b) => byScore(a.hit, b.hit));
  const hits = ranked.map(({ hit }) => hit);
  const looked = asked.words.filter(({ term }) => isPlainWord(term)).slice(0, lookedFor);
  if (looked.length < 2) return hits;
  const pairs = neighbouringWords(asked.sequence, looked);
  const findIn = placesOf(looked.map(({ term }) => term));
  const texts = await readTexts(sql, hits.slice(0, closelyRead));
  const read = ranked.slice(0, closelyRead).map(({ prior, hit }) => {
    const { text, length } = texts.get(hit.id) ?? { text: "", length: 0 };
    const places = findIn(text);
    const score = hit.score + prior * closenessOf(pairs, places);
    return { ...hit, score: withPassage(score, length, () => prior * bestPassage(looked, places)) };
  });
  return [...read, ...hits.slice(closelyRead)].sort(byScore);
}

/** What a document is worth before anything is asked: one that matters a little more, one of the time meant much more. */
const importanceShare = 0.4;
const timeShare = 0.5;
/** A question tells less than what answers it. */
const questionWorth = 0.9;

/** Lessons and insights are weighed by how sure they are where they are searched for, and not here too. */
const weighedHere: readonly string[] = ["observation", "memory"];

function priorOf({ kind, importance, createdAt }: Candidate, { leansTo }: SearchScope): number {
  const isOfTime = leansTo !== undefined && createdAt >= leansTo.since && createdAt <= leansTo.until;
  const matters = weighedHere.includes(kind) ? importance : 0.5;
  return (1 + importanceShare * matters) * (isOfTime ? 1 + timeShare : 1);
}

/** Which share of what the query's words tell has found something. */
function coverageOf(parts: Float64Array, { words, told }: QueryWords): number {
  if (told === 0) return 1;
  return words.reduce((sum, word, at) => sum + ((parts[at] ?? 0) > 0 ? word.told : 0), 0) / told;
}

function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || b.id - a.id;
}

interface ReadText {
  readonly text: string;
  /** Of the whole body, in characters. */
  readonly length: number;
}

async function readTexts(sql: Sql, ranked: readonly Ranked[]): Promise<Map<number, ReadText>> {
  const rows = await sql.all<ReadText & { id: number }>(
    `SELECT documents.id, title || char(10) || substr(body, 1, ${readLength}) AS text, length(body) AS length
    FROM json_each(?) AS ranked CROSS JOIN documents ON documents.id = ranked.value`,
    [JSON.stringify(ranked.map(({ id }) => id))],
  );
  return new Map(rows.map(({ id, text, length }) => [id, { text, length }]));
}

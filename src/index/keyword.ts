import type { Sql } from "../store/sql.ts";
import { scoredByTheirLike } from "./alike.ts";
import { readAnswers } from "./answers.ts";
import { weightedLength } from "./bm25f.ts";
import { bestPlaces, byScore, type Candidate } from "./candidate.ts";
import { feedbackScores } from "./feedback.ts";
import type { Ranked, SearchHit } from "./hits.ts";
import { bestPassage, withPassage } from "./passage.ts";
import { isPlainWord, placesOf } from "./places.ts";
import { closenessOf, neighbouringWords } from "./proximity.ts";
import { type QueryWords, readQueryWords } from "./query-words.ts";
import type { SearchScope } from "./scope.ts";
import { storedWords } from "./stored-words.ts";
import { judgeInSurroundings } from "./surroundings.ts";
import type { CandidateSearch, WordIndex } from "./word-index.ts";

export type { SearchScope } from "./scope.ts";

/** `score` is BM25F and what the refinements add, above 0. */
export type KeywordHit = SearchHit;

export interface KeywordOptions {
  /** No more than so many of the rarest words find documents, which bounds the work for a long text. */
  readonly findBy?: number;
  /** BM25F alone: each document by its own words and nothing else. */
  readonly plain?: boolean;
}

/** Documents that hold any word of the query, best first. `index` knows the words of what `sql` reads. */
export async function keywordSearch(
  sql: Sql,
  query: string,
  scope: SearchScope,
  limit: number,
  options: KeywordOptions = {},
  index: WordIndex = storedWords(sql),
): Promise<KeywordHit[]> {
  const { documents, averageLengths } = await index.collection();
  const precision = options.findBy === undefined ? "current" : "rough";
  const asked = await readQueryWords(index, query, documents, precision);
  if (asked.words.length === 0 || limit < 1) return [];
  const averageLength = weightedLength(averageLengths);
  const { findBy } = options;
  const search = index.ask({ words: asked.words, scope, documents, averageLength, findBy });
  const candidates = await search.find(limit);
  if (options.plain === true) return withRefs(plainHits(candidates, asked).slice(0, limit), search);
  const { hits, mostCovered } = await refined(
    { sql, search, asked, scope, limit },
    await answered(sql, candidates, search),
  );
  if (isFarFetched(mostCovered, asked, documents)) return [];
  return withRefs(hits.slice(0, limit), search);
}

type Covered = Omit<SearchHit, "ref"> & { readonly coverage: number };

function coveredBy(candidate: Candidate, score: number, coverage: number): Covered {
  const { id, kind, sessionId, createdAt, importance } = candidate;
  return { id, kind, sessionId, createdAt, importance, score, coverage };
}

function plainHits(candidates: readonly Candidate[], asked: QueryWords): Covered[] {
  return candidates.map((candidate) =>
    coveredBy(candidate, candidate.score, coverageOf(candidate.parts, asked)),
  );
}

async function withRefs(ranked: readonly Covered[], search: CandidateSearch): Promise<KeywordHit[]> {
  const refs = await search.refsOf(ranked.map(({ id }) => id));
  return ranked.flatMap((hit) => {
    const ref = refs.get(hit.id);
    return ref === undefined ? [] : [{ ...hit, ref }];
  });
}

/**
 * A question whose telling words stand nowhere finds what shares an odd word with it, and nothing is a more honest
 * answer. A whole text always shares little, and in a tiny store no word tells much: both keep what they find.
 */
const farFetched = 0.1;
const longestQuestion = 16;
const tinyCollection = 50;

function isFarFetched(mostCovered: number, { sequence }: QueryWords, documents: number): boolean {
  if (documents < tinyCollection || new Set(sequence).size > longestQuestion) return false;
  return mostCovered < farFetched;
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
  search: CandidateSearch,
): Promise<Answered> {
  const answers = await readAnswers(sql, candidates);
  const known = new Set(candidates.map(({ id }) => id));
  const strangers = [...answers.keys()].filter((id) => !known.has(id));
  return {
    candidates: strangers.length === 0 ? candidates : [...candidates, ...(await search.score(strangers))],
    answers,
  };
}

interface Asking {
  readonly sql: Sql;
  readonly search: CandidateSearch;
  readonly asked: QueryWords;
  readonly scope: SearchScope;
  readonly limit: number;
}

interface Refined {
  /** The best, and a few more. */
  readonly hits: Covered[];
  /** Coverage of the candidate that covers most. */
  readonly mostCovered: number;
}

/** Ranks again by what the words of one document alone do not tell. */
async function refined(asking: Asking, { candidates, answers }: Answered): Promise<Refined> {
  const { search, asked, scope, limit } = asking;
  const { scores, near } = judgeInSurroundings(candidates, answers);
  const added = await feedbackScores(candidates, scores, asked.words, search);
  const questions = new Set(answers.values());
  const priors = new Float64Array(candidates.length);
  let mostCovered = 0;
  for (const [at, candidate] of candidates.entries()) {
    const prior = priorOf(candidate, scope) * (questions.has(candidate.id) ? questionWorth : 1);
    priors[at] = prior;
    scores[at] = prior * ((scores[at] ?? 0) + (added[at] ?? 0));
    mostCovered = Math.max(mostCovered, coverageOf(near[at] ?? candidate.parts, asked));
  }
  const judged = await scoredByTheirLike(candidates, scores, search);
  const ranked: Weighed[] = [];
  for (const at of bestPlaces(judged, limit + closelyRead)) {
    const candidate = candidates[at];
    if (candidate === undefined) continue;
    const coverage = coverageOf(near[at] ?? candidate.parts, asked);
    ranked.push({ prior: priors[at] ?? 1, hit: coveredBy(candidate, judged[at] ?? 0, coverage) });
  }
  return { hits: await closelyReadHits(asking, ranked), mostCovered };
}

interface Weighed {
  readonly prior: number;
  readonly hit: Covered;
}

/** Looks at the texts of the best: where in them the words stand. */
async function closelyReadHits({ sql, asked }: Asking, ranked: readonly Weighed[]): Promise<Covered[]> {
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
  let covered = 0;
  for (const [at, word] of words.entries()) if ((parts[at] ?? 0) > 0) covered += word.told;
  return covered / told;
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

import type { Sql } from "../../store/sql.ts";
import type { SearchHit } from "../hits.ts";
import { readAnswers } from "../refinements/answers.ts";
import { scoreInContext } from "../refinements/context-scores.ts";
import { feedbackScores } from "../refinements/feedback.ts";
import { longTexts } from "../refinements/long-texts.ts";
import { rerankByText, rerankDepth } from "../refinements/rerank-by-text.ts";
import { regularizeScores } from "../refinements/score-regularization.ts";
import { leaningPart, type SearchScope } from "../scope.ts";
import { storedWords } from "../words/stored-words.ts";
import type { CandidateSearch, WordIndex } from "../words/word-index.ts";
import { weightedLength } from "./bm25f.ts";
import { bestPlaces, byScore, type Candidate } from "./candidate.ts";
import { type QueryWords, readQueryWords } from "./query-words.ts";
import { findBySelectiveTerms } from "./selective-terms.ts";
import { readSignedNames, type SignedNames } from "./signed-names.ts";
import {
  isWordless,
  literalSearch,
  oneBehindAnother,
  spanSearch,
  wordlessSearch,
} from "./wordless-search.ts";

interface KeywordOptions {
  /** BM25F alone: each document by its own words and nothing else. */
  readonly plain?: boolean;
  /** Knows the words of what `sql` reads; the database itself where it is left out. */
  readonly index?: WordIndex | undefined;
}

/** One search, and where it looks. */
interface Asking {
  readonly sql: Sql;
  readonly index: WordIndex;
  readonly query: string;
  readonly scope: SearchScope;
  readonly limit: number;
  readonly isPlain: boolean;
}

/**
 * Documents that hold any word of the query, best first; those that hold the query itself where nothing in it is a word;
 * those of a time where it only names one. `score` is BM25F and what the refinements add, above 0.
 */
export async function keywordSearch(
  sql: Sql,
  query: string,
  scope: SearchScope,
  limit: number,
  { plain: isPlain = false, index = storedWords(sql) }: KeywordOptions = {},
): Promise<SearchHit[]> {
  const asking = { sql, index, query, scope, limit, isPlain };
  if (scope.leansTo?.isAll !== true) return wordSearch(asking);
  const ofTime = leaningPart(scope);
  const found = [
    ...(await literalSearch(sql, query, scope, limit)),
    ...(anyLetter.test(query) ? await wordSearch(asking) : []).filter(
      ({ coverage }) => coverage !== undefined && coverage >= nameOfTime,
    ),
    ...(ofTime === undefined ? [] : await spanSearch(sql, ofTime, limit)),
  ];
  return oneBehindAnother(found, limit);
}

/** So much of the words of a time has to stand in what is taken to speak of that time. */
const nameOfTime = 0.5;
const anyLetter = /\p{L}/u;

async function wordSearch(asking: Asking): Promise<SearchHit[]> {
  const { sql, query, scope, limit, isPlain } = asking;
  if (limit < 1) return [];
  const hits = await indexSearch(asking);
  // What stands alone as a word somewhere else may stand in the scope as a part of one.
  return hits.length > 0 || isPlain || !isWordless(query) ? hits : wordlessSearch(sql, query, scope, limit);
}

async function indexSearch(asking: Asking): Promise<SearchHit[]> {
  const { sql, index, query, scope, limit, isPlain } = asking;
  const { documents, averageLengths } = await index.collection();
  const asked = await readQueryWords(index, query, documents);
  if (asked.words.length === 0) return [];
  const averageLength = weightedLength(averageLengths);
  const search = index.ask({ words: asked.words, scope, documents, averageLength });
  const found = await findBySelectiveTerms(search, asked.words, documents, limit);
  if (isPlain) return withRefs(plainHits(found, asked).slice(0, limit), search);
  const names = await readSignedNames(sql, query, scope, documents);
  const candidates = await joined(found, names.ids, search);
  const { hits, mostCovered } = await refined(
    { ...asking, search, asked, names },
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

async function withRefs(ranked: readonly Covered[], search: CandidateSearch): Promise<SearchHit[]> {
  const refs = await search.refsOf(ranked.map(({ id }) => id));
  return ranked.flatMap(({ id, kind, sessionId, createdAt, importance, score, coverage }) => {
    const ref = refs.get(id);
    return ref === undefined ? [] : [{ id, kind, sessionId, createdAt, importance, score, coverage, ref }];
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
  return { candidates: await joined(candidates, [...answers.keys()], search), answers };
}

/** Candidates, and what else has these ids inside the scope. */
async function joined(
  candidates: readonly Candidate[],
  ids: readonly number[],
  search: CandidateSearch,
): Promise<readonly Candidate[]> {
  const known = new Set(candidates.map(({ id }) => id));
  const strangers = ids.filter((id) => !known.has(id));
  return strangers.length === 0 ? candidates : [...candidates, ...(await search.score(strangers))];
}

interface Begun extends Asking {
  readonly search: CandidateSearch;
  readonly asked: QueryWords;
  readonly names: SignedNames;
}

interface Refined {
  /** The best, and a few more. */
  readonly hits: Covered[];
  /** Coverage of the candidate that covers most. */
  readonly mostCovered: number;
}

/** Ranks again by what the words of one document alone do not tell. */
async function refined(begun: Begun, { candidates, answers }: Answered): Promise<Refined> {
  const { sql, query, search, asked, names, scope, limit } = begun;
  const { scores, near } = scoreInContext(candidates, answers);
  const added = await feedbackScores(candidates, scores, asked.words, search);
  const questions = new Set(answers.values());
  const priors = new Float64Array(candidates.length);
  const coverages = new Float64Array(candidates.length);
  let mostCovered = 0;
  for (const [at, candidate] of candidates.entries()) {
    const prior = priorOf(candidate, scope) * (questions.has(candidate.id) ? questionWorth : 1);
    priors[at] = prior;
    scores[at] = prior * ((scores[at] ?? 0) + (added[at] ?? 0) + names.scoreOf(candidate));
    const ofWords = coverageOf(near[at] ?? candidate.parts, asked);
    const coverage = names.coverageOf(candidate, ofWords, asked.told);
    coverages[at] = coverage;
    mostCovered = Math.max(mostCovered, coverage);
  }
  const judged = await regularizeScores(candidates, scores, search);
  const best = [...bestPlaces(judged, limit + rerankDepth)];
  const first = best.slice(0, rerankDepth);
  const long = longTexts(candidates, judged, { coverages, mostCovered }, new Set(first));
  const ranked: { hit: Covered; prior: number }[] = [];
  for (const at of new Set([...first, ...long, ...best])) {
    const candidate = candidates[at];
    if (candidate === undefined) continue;
    const hit = coveredBy(candidate, judged[at] ?? 0, coverages[at] ?? 0);
    ranked.push({ prior: priors[at] ?? 1, hit });
  }
  const hits = await rerankByText(sql, query, asked, ranked, first.length + long.length);
  return { hits: hits.sort(byScore), mostCovered };
}

/** What a document is worth before anything is asked: one that matters a little more, one of the time meant much more. */
const importanceShare = 0.4;
const timeShare = 0.5;
/** A question tells less than what answers it. */
const questionWorth = 0.95;

/** Lessons and insights are weighed by how sure they are where they are searched for, and not here too. */
const weighedHere: readonly string[] = ["observation", "memory"];

function priorOf({ kind, importance, createdAt }: Candidate, { leansTo }: SearchScope): number {
  const isOfTime = leansTo !== undefined && createdAt >= leansTo.since && createdAt <= leansTo.until;
  const matters = weighedHere.includes(kind) ? importance : 0.5;
  return (1 + importanceShare * matters) * (isOfTime ? 1 + timeShare : 1);
}

/**
 * Which share of what the query's words tell has found something. Where only numbers were asked for, each tells the
 * more, the rarer it is.
 */
function coverageOf(parts: Float64Array, { words, told }: QueryWords): number {
  const worth = told === 0 ? "weight" : "told";
  const all = told === 0 ? words.reduce((sum, { weight }) => sum + weight, 0) : told;
  let covered = 0;
  for (const [at, word] of words.entries()) if ((parts[at] ?? 0) > 0) covered += word[worth];
  return all === 0 ? 1 : covered / all;
}

import type { Sql } from "../../store/sql.ts";
import { scriptPattern } from "../../text/script-pattern.ts";
import type { SearchHit } from "../hits.ts";
import { readAnswers } from "../refinements/answers.ts";
import { scoreInContext } from "../refinements/context-scores.ts";
import { feedbackScores } from "../refinements/feedback.ts";
import { longTexts } from "../refinements/long-texts.ts";
import { rerankByText, rerankDepth } from "../refinements/rerank-by-text.ts";
import { regularizeScores } from "../refinements/score-regularization.ts";
import { leaningPart, type SearchScope } from "../scope.ts";
import type { SearchQuestion } from "../search-streams.ts";
import { storedWords } from "../words/stored-words.ts";
import type { CandidateSearch, Collection, WordIndex } from "../words/word-index.ts";
import { dateOf } from "./asked-date.ts";
import { weightedLength } from "./bm25f.ts";
import { bestPlaces, byScore, type Candidate } from "./candidate.ts";
import { coverageOf, isFarFetched, isSufficient } from "./coverage.ts";
import { isWordless } from "./literal-places.ts";
import { type QueryWords, readQueryWords } from "./query-words.ts";
import { findBySelectiveTerms } from "./selective-terms.ts";
import { readSignedNames, type SignedNames } from "./signed-names.ts";
import {
  dateSearch,
  literalSearch,
  oneBehindAnother,
  spanSearch,
  wordlessSearch,
} from "./wordless-search.ts";

interface KeywordOptions {
  /** Ranks by BM25F alone, without the refinements. */
  readonly plain?: boolean;
  /** The index of the words of the database that `sql` reads; by default the one in that database. */
  readonly index?: WordIndex | undefined;
}

/** The parameters of one search. */
interface Asking extends SearchQuestion {
  readonly sql: Sql;
  readonly index: WordIndex;
  readonly isPlain: boolean;
}

/**
 * Documents with any word of the query, best first. For a query without words: documents that contain the query
 * literally. For a query that only names a time: documents that name it, then those of that time. `score` is BM25F with
 * the refinements, and above 0.
 */
export async function keywordSearch(
  sql: Sql,
  question: SearchQuestion,
  { plain: isPlain = false, index = storedWords(sql) }: KeywordOptions = {},
): Promise<SearchHit[]> {
  const { query, scope, limit } = question;
  const asking = { sql, index, query, scope, limit, isPlain };
  if (scope.leansTo?.isAll !== true) return wordSearch(asking);
  const ofTime = leaningPart(scope);
  const found = [
    ...(await literalSearch(sql, question)),
    ...(await dateSearches(asking)),
    ...(anyLetter(query).test(query) ? await wordSearch(asking) : []).filter(
      ({ coverage }) => coverage !== undefined && coverage >= nameOfTime,
    ),
    ...(ofTime === undefined ? [] : await spanSearch(sql, { scope: ofTime, limit })),
  ];
  return oneBehindAnother(found, limit);
}

/** Documents that name the date of a query that is nothing but a date. */
async function dateSearches({ sql, query, scope, limit }: Asking): Promise<SearchHit[]> {
  const { leansTo } = scope;
  const date = leansTo === undefined || !/\d/.test(query) ? undefined : dateOf(leansTo, query);
  return date === undefined ? [] : dateSearch(sql, date, { scope, limit });
}

/** The least coverage of a query that only names a time, for a document to count as naming that time. */
const nameOfTime = 0.5;
const anyLetter = scriptPattern(String.raw`\p{L}`);

async function wordSearch(asking: Asking): Promise<SearchHit[]> {
  const { sql, query, limit, isPlain } = asking;
  if (limit < 1) return [];
  const hits = await indexSearch(asking);
  // Even if the index knows the query as a word, the scope's documents may contain it only as a part of a word.
  return hits.length > 0 || isPlain || !isWordless(query) ? hits : wordlessSearch(sql, asking);
}

/** What a hit that is found by other words counts for of its coverage: it may well be about something else. */
const synonymShare = 0.5;
/** Little enough that no such hit counts as a strong match. */
const slipShare = 0.4;

/**
 * If the query's own words do not suffice, synonyms of the query's words are searched for, too; if nothing is found at
 * all, also what a mistyped word may be meant for, and other spellings of words that only documents outside of the
 * scope contain.
 */
async function indexSearch(asking: Asking): Promise<SearchHit[]> {
  const { index, query } = asking;
  const collection = await index.collection();
  const asked = await readQueryWords(index, query, collection.documents);
  const hits = await searchFor(asked, asking, collection);
  if (asking.isPlain || isSufficient(hits)) return hits;
  const widened = await readQueryWords(index, query, collection.documents, "synonyms");
  const related =
    formCount(widened) === formCount(asked) ? hits : await searchFor(widened, asking, collection);
  if (related.length > 0) return related === hits ? hits : covering(synonymShare, related);
  const meant = await readQueryWords(index, query, collection.documents, "slips");
  if (formCount(meant) === formCount(widened)) return [];
  return covering(slipShare, await searchFor(meant, asking, collection));
}

function covering(share: number, hits: readonly SearchHit[]): SearchHit[] {
  return hits.map((hit) => ({ ...hit, coverage: share * (hit.coverage ?? 0) }));
}

function formCount({ words }: QueryWords): number {
  return words.reduce((sum, { forms }) => sum + forms.length, 0);
}

async function searchFor(
  asked: QueryWords,
  asking: Asking,
  { documents, averageLengths }: Collection,
): Promise<SearchHit[]> {
  const { sql, index, scope, limit, isPlain } = asking;
  const isOfWords = asked.words.length > 0;
  if (!isOfWords && (isPlain || asked.sequence.length === 0)) return [];
  const averageLength = weightedLength(averageLengths);
  const search = index.ask({ words: asked.words, scope, documents, averageLength });
  const found = isOfWords ? await findBySelectiveTerms(search, asked.words, documents, limit) : [];
  if (isPlain) return withRefs(plainHits(found, asked).slice(0, limit), search);
  const names = await readSignedNames(sql, asking, documents);
  if (!isOfWords && names.ids.length === 0) return [];
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

interface Answered {
  readonly candidates: readonly Candidate[];
  /** Ids of candidates that answer another, each with the id of its question. */
  readonly answers: ReadonlyMap<number, number>;
}

/** Adds the documents that answer questions among the candidates (see answers.ts). */
async function answered(
  sql: Sql,
  candidates: readonly Candidate[],
  search: CandidateSearch,
): Promise<Answered> {
  const answers = await readAnswers(sql, candidates);
  return { candidates: await joined(candidates, [...answers.keys()], search), answers };
}

/** The candidates, and those documents with the given ids that are in the scope. */
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
  /** The best `limit` hits and a few more, best first. */
  readonly hits: Covered[];
  /** The greatest coverage of any candidate. */
  readonly mostCovered: number;
}

/** Ranks candidates by more than their own words: context, feedback, priors, similarity among the best, their texts. */
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

/** Parts of a document's prior, which multiplies its score: for its importance, and if it is of the preferred time. */
const importanceShare = 0.4;
const timeShare = 0.5;
/** Factor for questions, which are less useful than their answers. */
const questionWorth = 0.95;

/**
 * Kinds whose importance counts here. Lessons and insights are weighted by their confidence where they are searched.
 */
const weighedHere: readonly string[] = ["observation", "memory"];

function priorOf({ kind, importance, createdAt }: Candidate, { leansTo }: SearchScope): number {
  const isOfTime = leansTo !== undefined && createdAt >= leansTo.since && createdAt <= leansTo.until;
  const matters = weighedHere.includes(kind) ? importance : 0.5;
  return (1 + importanceShare * matters) * (isOfTime ? 1 + timeShare : 1);
}

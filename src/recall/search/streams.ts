import type { Settings } from "../../config/load.ts";
import type { SearchHit } from "../../index/hits.ts";
import { isSufficient } from "../../index/keyword/coverage.ts";
import { type PartOutcome, type SearchGround, unlessLate, unlessLateOrFailed } from "../../index/left-out.ts";
import type { SearchQuestion, SearchStreams } from "../../index/search-streams.ts";
import type { Stream } from "./fusion.ts";
import { figuresFor, type ModelFigures, type NamedModel } from "./model-figures.ts";

/** Makes the vector of a query. */
interface QueryEmbedder {
  /** The model in use; undefined without one. */
  readonly model: (NamedModel & { readonly fingerprint: string }) | undefined;
  /** Undefined when there is nothing to compare a vector with. Errors: those of the model, also when it is late. */
  embedQuery(text: string): Promise<Float32Array | undefined>;
}

/** What the streams of a search come from. */
export interface StreamSources {
  readonly streams: SearchStreams;
  readonly embeddings: QueryEmbedder;
}

export interface DocumentStream extends Stream {
  readonly hits: readonly SearchHit[];
}

interface StreamGround extends SearchGround {
  readonly settings: Partial<Pick<Settings, "bm25Weight" | "vectorWeight" | "graphWeight">> &
    Pick<Settings, "vectorMinSimilarity">;
}

export interface StreamsAnswer {
  readonly streams: readonly DocumentStream[];
  /** The streams that were late, still loading or failed: what they would have found is missing. */
  readonly leftOut: readonly DocumentStream["name"][];
}

/**
 * Asks all streams at once. Streams that are turned off or have nothing to work with do not take part. Those that are
 * late are left out, and so are those that fail, except the keyword stream, which is also waited for if the others have
 * found nothing. Errors: those of the keyword stream.
 */
export async function askStreams(
  sources: StreamSources,
  question: SearchQuestion,
  ground: StreamGround,
): Promise<StreamsAnswer> {
  const { settings } = ground;
  // A query such as "what happened yesterday" asks for everything in that time, which similarity and graph cannot
  // answer.
  const isTimeAlone = question.scope.leansTo?.isAll === true && settings.bm25Weight !== 0;
  // The slowest first, because they start one after another.
  const vectors =
    settings.vectorWeight === 0 || isTimeAlone
      ? notAsked
      : unlessLateOrFailed("vector", askVectors(sources, question, settings), ground).then(unlessLoading);
  const words = settings.bm25Weight === 0 ? undefined : sources.streams.keyword(question);
  const relations =
    settings.graphWeight === 0 || isTimeAlone
      ? notAsked
      : unlessLateOrFailed("graph", askGraph(sources, question), ground);
  // Some models are only known once they were opened for the query.
  const figuresNow = () => figuresFor(sources.embeddings.model);
  const othersFoundNothing = async () => {
    const [similar, graph] = await Promise.all([vectors, relations]);
    return relatedHits(hitsOf(similar) ?? [], [], figuresNow()).length === 0 && hitsOf(graph) === undefined;
  };
  const [similar, ofWords, related] = await Promise.all([
    vectors,
    words === undefined ? notAsked : unlessLate("keyword", words, ground, othersFoundNothing),
    relations,
  ]);
  const [vector, keyword, graph] = [hitsOf(similar), hitsOf(ofWords), hitsOf(related)];
  const figures = figuresNow();
  const isSure = isSufficient(keyword ?? []);
  const streams = [
    { name: "keyword", outcome: ofWords, weight: settings.bm25Weight ?? figures.keyword, hits: keyword },
    {
      name: "vector",
      outcome: similar,
      weight: settings.vectorWeight ?? (isSure ? figures.vector : figures.vectorWhenUnsure),
      hits: vector && relatedHits(vector, keyword ?? [], figures),
      strongFrom: figures.sameFrom,
    },
    { name: "graph", outcome: related, weight: settings.graphWeight ?? figures.graph, hits: graph },
  ] as const;
  return {
    streams: streams.flatMap(({ outcome: _outcome, hits, ...stream }) =>
      hits === undefined ? [] : [{ ...stream, hits }],
    ),
    leftOut: streams.filter(({ outcome }) => outcome === "left out").map(({ name }) => name),
  };
}

type StreamOutcome = PartOutcome<SearchHit[] | undefined>;

const notAsked: Promise<StreamOutcome> = Promise.resolve({ answer: undefined });

function hitsOf(outcome: StreamOutcome): SearchHit[] | undefined {
  return outcome === "left out" ? undefined : outcome.answer;
}

/**
 * Leaves out texts without a word of the query that are similar to it by chance, and the start and end of sessions,
 * which tell nothing.
 */
function relatedHits(
  similar: readonly SearchHit[],
  ofWords: readonly SearchHit[],
  { relatedFrom, mostWithoutWords }: ModelFigures,
): SearchHit[] {
  const withWords = new Set(ofWords.map(({ id }) => id));
  const others = similar.filter((hit) => !withWords.has(hit.id) && hit.score >= relatedFrom && isWork(hit));
  const kept = new Set(others.slice(0, mostWithoutWords));
  return similar.filter((hit) => withWords.has(hit.id) || kept.has(hit));
}

/** Whether a hit is more than the start or end of a session; only these have an importance of 0. */
export function isWork({ kind, importance }: SearchHit): boolean {
  return kind !== "observation" || importance > 0;
}

/** Vectors that are still being loaded are left out as if they were late, but nothing has failed. */
function unlessLoading(asked: PartOutcome<StreamOutcome>): StreamOutcome {
  return asked === "left out" ? asked : asked.answer;
}

async function askVectors(
  { embeddings, streams }: StreamSources,
  { query, scope, limit }: SearchQuestion,
  { vectorMinSimilarity }: StreamGround["settings"],
): Promise<StreamOutcome> {
  const vector = await embeddings.embedQuery(query);
  // Read after the embedding, because some models are only known once they were opened.
  const { model } = embeddings;
  if (vector === undefined || model === undefined) return notAsked;
  const { fingerprint } = model;
  const hits = await streams.vector({
    vector,
    fingerprint,
    scope,
    limit,
    minSimilarity: vectorMinSimilarity,
  });
  return hits === undefined ? "left out" : { answer: hits };
}

async function askGraph(
  { streams }: StreamSources,
  question: SearchQuestion,
): Promise<SearchHit[] | undefined> {
  const hits = await streams.graph(question);
  return hits.length === 0 ? undefined : hits;
}

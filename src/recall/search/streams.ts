import type { Settings } from "../../config/load.ts";
import type { SearchHit } from "../../index/hits.ts";
import { isStrongCoverage } from "../../index/keyword/coverage.ts";
import type { SearchQuestion, SearchStreams } from "../../index/search-streams.ts";
import type { Stream } from "./fusion.ts";
import { type SearchGround, unlessLate, unlessLateOrFailed } from "./left-out.ts";
import { type NamedModel, weightsFor } from "./weights.ts";

/** Makes the vector of a query. */
interface QueryEmbedder {
  /** The model in use; undefined without one. */
  readonly model: (NamedModel & { readonly fingerprint: string }) | undefined;
  /** Undefined when no vector can be made in time. */
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

/**
 * Asks all streams at once. Streams that are turned off, have nothing to work with, or are late are left out, and so
 * are those that fail, except the keyword stream. Errors: those of the keyword stream.
 */
export async function askStreams(
  sources: StreamSources,
  question: SearchQuestion,
  ground: StreamGround,
): Promise<DocumentStream[]> {
  const { settings } = ground;
  // A query such as "what happened yesterday" asks for everything in that time, which similarity and graph cannot
  // answer.
  const isTimeAlone = question.scope.leansTo?.isAll === true && settings.bm25Weight !== 0;
  // The slowest first, because they start one after another.
  const [vector, keyword, graph] = await Promise.all([
    settings.vectorWeight === 0 || isTimeAlone
      ? undefined
      : unlessLateOrFailed("vector", askVectors(sources, question, settings), ground),
    settings.bm25Weight === 0 ? undefined : unlessLate("keyword", sources.streams.keyword(question), ground),
    settings.graphWeight === 0 || isTimeAlone
      ? undefined
      : unlessLateOrFailed("graph", askGraph(sources, question), ground),
  ]);
  const weights = weightsFor(sources.embeddings.model);
  const keywordWeight = settings.bm25Weight ?? weights.keyword;
  const graphWeight = settings.graphWeight ?? weights.graph;
  const isSure = keyword?.some(({ coverage }) => isStrongCoverage(coverage)) ?? false;
  const vectorWeight = settings.vectorWeight ?? (isSure ? weights.vector : weights.vectorWhenUnsure);
  return [
    ...(keyword === undefined ? [] : [{ name: "keyword", weight: keywordWeight, hits: keyword } as const]),
    ...(vector === undefined ? [] : [{ name: "vector", weight: vectorWeight, hits: vector } as const]),
    ...(graph === undefined ? [] : [{ name: "graph", weight: graphWeight, hits: graph } as const]),
  ];
}

async function askVectors(
  { embeddings, streams }: StreamSources,
  { query, scope, limit }: SearchQuestion,
  { vectorMinSimilarity }: StreamGround["settings"],
): Promise<SearchHit[] | undefined> {
  const vector = await embeddings.embedQuery(query);
  // Read after the embedding, because some models are only known once they were opened.
  const { model } = embeddings;
  if (vector === undefined || model === undefined) return undefined;
  const { fingerprint } = model;
  return streams.vector({ vector, fingerprint, scope, limit, minSimilarity: vectorMinSimilarity });
}

async function askGraph(
  { streams }: StreamSources,
  question: SearchQuestion,
): Promise<SearchHit[] | undefined> {
  const hits = await streams.graph(question);
  return hits.length === 0 ? undefined : hits;
}

import type { Settings } from "../../config/load.ts";
import type { Ground, Log } from "../../ground.ts";
import type { SearchHit } from "../../index/hits.ts";
import type { KeywordIndex } from "../../index/keyword/keyword-index.ts";
import type { SearchScope } from "../../index/scope.ts";
import type { VectorIndex } from "../../index/vectors/vector-index.ts";
import type { Stream } from "./fusion.ts";
import { isStrongCoverage } from "./match.ts";
import { type NamedModel, weightsFor } from "./weights.ts";
import { withTimeout } from "./with-timeout.ts";

/** Time limit of each stream; the search goes on without a stream that is late. */
const shareMs = { keyword: 1_000, vector: 1_000, graph: 300 } as const;

/** Makes the vector of a query. */
interface QueryEmbedder {
  /** The model in use; undefined without one. */
  readonly model: (NamedModel & { readonly fingerprint: string }) | undefined;
  /** Undefined when no vector can be made in time. */
  embedQuery(text: string): Promise<Float32Array | undefined>;
}

/** Finds documents by the things that a query names. */
export interface GraphWalk {
  searchStream(query: string, scope: SearchScope, limit: number): Promise<SearchHit[]>;
}

/** The sources of the streams. Without a model or a graph, their streams are left out. */
export interface StreamSources {
  readonly keywords: Pick<KeywordIndex, "search">;
  readonly vectors: Pick<VectorIndex, "search">;
  readonly embeddings?: QueryEmbedder;
  readonly graph?: GraphWalk;
}

export interface StreamQuestion {
  readonly query: string;
  readonly scope: SearchScope;
  readonly limit: number;
}

export interface DocumentStream extends Stream {
  readonly hits: readonly SearchHit[];
}

type SearchGround = Pick<Ground, "log" | "monotonic">;

type Weights = Partial<Pick<Settings, "bm25Weight" | "vectorWeight" | "graphWeight">> &
  Pick<Settings, "vectorMinSimilarity">;

/**
 * Asks all streams at once. Streams that are turned off, have nothing to work with, or are late are left out, and so
 * are those that fail, except the keyword stream. Errors: those of the keyword stream.
 */
export async function askStreams(
  sources: StreamSources,
  question: StreamQuestion,
  settings: Weights,
  ground: SearchGround,
): Promise<DocumentStream[]> {
  // A query such as "what happened yesterday" asks for everything in that time, which similarity and graph cannot
  // answer.
  const isTimeAlone = question.scope.leansTo?.isAll === true && settings.bm25Weight !== 0;
  // The slowest first, because they start one after another.
  const [vector, keyword, graph] = await Promise.all([
    settings.vectorWeight === 0 || isTimeAlone ? undefined : askVectors(sources, question, settings, ground),
    settings.bm25Weight === 0 ? undefined : askKeywords(sources, question, ground),
    settings.graphWeight === 0 || isTimeAlone ? undefined : askGraph(sources, question, ground),
  ]);
  const weights = weightsFor(sources.embeddings?.model);
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

function askKeywords(
  { keywords }: StreamSources,
  { query, scope, limit }: StreamQuestion,
  ground: SearchGround,
): Promise<SearchHit[] | undefined> {
  return withTimeout("keyword", shareMs.keyword, keywords.search(query, scope, limit), ground);
}

async function askVectors(
  { embeddings, vectors }: StreamSources,
  { query, scope, limit }: StreamQuestion,
  { vectorMinSimilarity }: Weights,
  ground: SearchGround,
): Promise<SearchHit[] | undefined> {
  if (embeddings === undefined) return undefined;
  const search = async () => {
    const vector = await embeddings.embedQuery(query);
    // Read after the embedding, because some models are only known once they were opened.
    const { model } = embeddings;
    if (vector === undefined || model === undefined) return undefined;
    return vectors.search(vector, model.fingerprint, scope, limit, vectorMinSimilarity);
  };
  return withTimeout("vector", shareMs.vector, orLeftOut("vector", search(), ground.log), ground);
}

async function askGraph(
  { graph }: StreamSources,
  { query, scope, limit }: StreamQuestion,
  ground: SearchGround,
): Promise<SearchHit[] | undefined> {
  if (graph === undefined) return undefined;
  const search = async () => {
    const hits = await graph.searchStream(query, scope, limit);
    return hits.length === 0 ? undefined : hits;
  };
  return withTimeout("graph", shareMs.graph, orLeftOut("graph", search(), ground.log), ground);
}

/** Logs the failure of a stream and leaves the stream out, so that the search does not fail. */
export function orLeftOut<T>(name: string, work: Promise<T>, log: Log): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    log("warn", "a stream of a search failed and was left out", { stream: name, error: String(error) });
    return undefined;
  });
}

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SearchHit } from "../../index/hits.ts";
import { askStreams, type StreamSources } from "./streams.ts";
import { weightsFor } from "./weights.ts";

function hit(ref: string, given: Partial<SearchHit> = {}): SearchHit {
  return {
    id: 1,
    kind: "memory",
    ref,
    sessionId: null,
    createdAt: 0,
    score: 1,
    importance: 0,
    ...given,
  };
}

const question = { query: "heron", scope: { now: 0 }, limit: 50 };
const noWeights = { vectorMinSimilarity: 0.25 };

const keywords = { search: async () => [hit("word", { coverage: 1 })] };
const unsureKeywords = { search: async () => [hit("word", { coverage: 0.1 })] };
const vectors = { search: async () => [hit("like")] };
const noVectors = { search: async () => undefined };
const potion = { provider: "static", name: "potion-base-8M", fingerprint: "p1" };
const sentences = { provider: "local", name: "all-MiniLM-L6-v2", fingerprint: "m1" };
const embedderOf = (model: typeof potion) => ({ model, embedQuery: async () => Float32Array.of(1, 0) });
const graph = { searchStream: async () => [hit("thing")] };

let logged: string[];
beforeEach(() => {
  logged = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const ground: Parameters<typeof askStreams>[3] = {
  log: (_level, message, fields) => logged.push(`${message}: ${fields?.stream}`),
  monotonic: () => performance.now(),
};

async function ask(
  sources: StreamSources,
  settings: Parameters<typeof askStreams>[2] = noWeights,
  scope: Parameters<typeof askStreams>[1]["scope"] = question.scope,
) {
  const asked = askStreams(sources, { ...question, scope }, settings, ground);
  await vi.advanceTimersByTimeAsync(1_500);
  return (await asked).map(({ name, weight, hits }) => [name, weight, hits.map(({ ref }) => ref).join()]);
}

const late = () => new Promise<never>(() => undefined);
const broken = async () => {
  throw new Error("broken");
};

describe("the streams of a search", () => {
  test("are only the keywords without a model and a graph", async () => {
    expect(await ask({ keywords, vectors: noVectors })).toEqual([["keyword", 1, "word"]]);
  });

  test("are all those that have a source, keywords first", async () => {
    const sources = { keywords, vectors, embeddings: embedderOf(sentences), graph };
    expect(await ask(sources)).toEqual([
      ["keyword", 1, "word"],
      ["vector", 1, "like"],
      ["graph", weightsFor(sentences).graph, "thing"],
    ]);
    expect(logged).toEqual([]);
  });

  test("omit vectors that are not ready, queries without a vector and a graph without hits", async () => {
    const nothing = { model: sentences, embedQuery: async () => undefined };
    const empty = { searchStream: async () => [] };
    expect(await ask({ keywords, vectors: noVectors, embeddings: embedderOf(sentences) })).toHaveLength(1);
    expect(await ask({ keywords, vectors, embeddings: nothing, graph: empty })).toHaveLength(1);
  });

  test.each([
    ["late", late],
    ["failing", broken],
  ])("omit a %s model, vector index or graph, and log it", async (_name, search) => {
    const sources = {
      keywords,
      vectors: { search },
      embeddings: embedderOf(sentences),
      graph: { searchStream: search },
    };
    expect((await ask(sources)).map(([name]) => name)).toEqual(["keyword"]);
    expect(logged.map((line) => line.split(": ")[1]).sort()).toEqual(["graph", "vector"]);
    const slowModel = { model: sentences, embedQuery: search };
    expect((await ask({ keywords, vectors, embeddings: slowModel })).map(([name]) => name)).toEqual([
      "keyword",
    ]);
  });

  test("omit late keywords, but report failing ones", async () => {
    const sources = { vectors, embeddings: embedderOf(sentences) };
    expect(await ask({ ...sources, keywords: { search: late } })).toEqual([["vector", 1, "like"]]);
    await expect(
      askStreams({ ...sources, keywords: { search: broken } }, question, noWeights, ground),
    ).rejects.toThrow("broken");
  });

  test("are not asked if they are turned off", async () => {
    const never = { search: broken };
    const sources = {
      keywords: never,
      vectors: never,
      embeddings: embedderOf(sentences),
      graph: { searchStream: broken },
    };
    expect(await ask(sources, { ...noWeights, bm25Weight: 0, vectorWeight: 0, graphWeight: 0 })).toEqual([]);
    expect(logged).toEqual([]);
  });

  test("are only the keywords for a question about a time alone, unless those are turned off", async () => {
    const sources = { keywords, vectors, embeddings: embedderOf(sentences), graph };
    const namesOf = async (bm25Weight: number | undefined, isAll: boolean) => {
      const settings = bm25Weight === undefined ? noWeights : { ...noWeights, bm25Weight };
      const asked = await ask(sources, settings, { now: 0, leansTo: { since: 0, until: 1, isAll } });
      return asked.map(([name]) => name);
    };
    expect(await namesOf(undefined, true)).toEqual(["keyword"]);
    expect(await namesOf(undefined, false)).toEqual(["keyword", "vector", "graph"]);
    expect(await namesOf(0, true)).toEqual(["vector", "graph"]);
  });
});

describe("the weight of the vector stream", () => {
  const weightOf = async (words: StreamSources["keywords"], model: typeof potion, vectorWeight?: number) => {
    const settings = vectorWeight === undefined ? noWeights : { ...noWeights, vectorWeight };
    const asked = await ask({ keywords: words, vectors, embeddings: embedderOf(model) }, settings);
    return asked.find(([name]) => name === "vector")?.[1];
  };

  test("is tiny for a static model unless the keywords find no strong match", async () => {
    const { vector, vectorWhenUnsure } = weightsFor(potion);
    expect(await weightOf(keywords, potion)).toBe(vector);
    expect(await weightOf(unsureKeywords, potion)).toBe(vectorWhenUnsure);
    expect(vector).toBeLessThan(vectorWhenUnsure);
  });

  test("equals that of the keywords for a sentence model, sure or not", async () => {
    expect(await weightOf(keywords, sentences)).toBe(1);
    expect(await weightOf(unsureKeywords, sentences)).toBe(1);
  });

  test("is that of the setting if there is one", async () => {
    expect(await weightOf(keywords, potion, 0.7)).toBe(0.7);
  });

  test("is too small for static vectors beside sure keywords to reorder keyword hits", () => {
    const { vector } = weightsFor(potion);
    // The smallest difference between two neighbouring ranks of fifty is that between the last two.
    expect(vector / 61).toBeLessThan(1 / 109 - 1 / 110 + vector / 110);
  });
});

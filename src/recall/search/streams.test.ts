import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SearchHit } from "../../index/hits.ts";
import type { SearchStreams } from "../../index/search-streams.ts";
import { figuresFor } from "./model-figures.ts";
import { askStreams, type StreamSources } from "./streams.ts";

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

const streams: SearchStreams = {
  keyword: async () => [hit("word", { coverage: 1 })],
  vector: async () => [hit("like")],
  graph: async () => [hit("thing")],
  passages: async () => new Map(),
};
const keywordsAlone: SearchStreams = { ...streams, vector: async () => undefined, graph: async () => [] };
const unsureStreams: SearchStreams = { ...streams, keyword: async () => [hit("word", { coverage: 0.1 })] };
const potion = { provider: "static", name: "potion-base-8M", fingerprint: "p1" };
const sentences = { provider: "local", name: "all-MiniLM-L6-v2", fingerprint: "m1" };
const embedderOf = (model: typeof potion) => ({ model, embedQuery: async () => Float32Array.of(1, 0) });
const noModel = { model: undefined, embedQuery: async () => undefined };

let logged: string[];
let leftOut: readonly string[];
beforeEach(() => {
  logged = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type SearchGround = Parameters<typeof askStreams>[2];
const ground: Omit<SearchGround, "settings"> = {
  log: (_level, message, fields) => logged.push(`${message}: ${fields?.stream}`),
  monotonic: () => performance.now(),
};

async function ask(
  sources: StreamSources,
  settings: SearchGround["settings"] = noWeights,
  scope: Parameters<typeof askStreams>[1]["scope"] = question.scope,
) {
  const asked = askStreams(sources, { ...question, scope }, { ...ground, settings });
  const answer = await passingTime(asked);
  leftOut = answer.leftOut;
  return answer.streams.map(({ name, weight, hits }) => [name, weight, hits.map(({ ref }) => ref).join()]);
}

/** Lets time pass until the work is done. */
async function passingTime<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) await vi.advanceTimersByTimeAsync(100);
  return over;
}

const wordsAfter = (ms: number) => async () => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return [hit("word", { coverage: 1 })];
};

const late = () => new Promise<never>(() => undefined);
const broken = async () => {
  throw new Error("broken");
};

describe("the streams of a search", () => {
  test("are only the keywords without a model and a graph", async () => {
    const sources = { streams: { ...streams, graph: async () => [] }, embeddings: noModel };
    expect(await ask(sources)).toEqual([["keyword", 1, "word"]]);
  });

  test("are all those that have a source, keywords first", async () => {
    const sources = { streams, embeddings: embedderOf(sentences) };
    expect(await ask(sources)).toEqual([
      ["keyword", 1, "word"],
      ["vector", 1, "like"],
      ["graph", figuresFor(sentences).graph, "thing"],
    ]);
    expect(logged).toEqual([]);
  });

  test("omit vectors that are still loading, queries without a vector and a graph without hits", async () => {
    const nothing = { model: sentences, embedQuery: async () => undefined };
    expect(await ask({ streams: keywordsAlone, embeddings: embedderOf(sentences) })).toHaveLength(1);
    expect(leftOut).toEqual(["vector"]);
    expect(logged).toEqual([]);
    const withoutGraph = { ...streams, graph: async () => [] };
    expect(await ask({ streams: withoutGraph, embeddings: nothing })).toHaveLength(1);
    expect(leftOut).toEqual([]);
  });

  test.each([
    ["late", late],
    ["failing", broken],
  ])("omit a %s model, vector index or graph, and log it", async (_name, search) => {
    const sources = {
      streams: { ...streams, vector: search, graph: search },
      embeddings: embedderOf(sentences),
    };
    expect((await ask(sources)).map(([name]) => name)).toEqual(["keyword"]);
    expect(logged.map((line) => line.split(": ")[1]).sort()).toEqual(["graph", "vector"]);
    expect(leftOut).toEqual(["vector", "graph"]);
    const slowModel = { model: sentences, embedQuery: search };
    const withSlowModel = await ask({ streams: keywordsAlone, embeddings: slowModel });
    expect(withSlowModel.map(([name]) => name)).toEqual(["keyword"]);
  });

  test.each([
    ["vector", 1_000],
    ["graph", 300],
  ])("wait for the %s for %i ms", async (name, longestMs) => {
    const startedMs = performance.now();
    await ask({ streams: { ...streams, [name]: late }, embeddings: embedderOf(sentences) });
    expect(leftOut).toEqual([name]);
    // Time passes in steps of 100 ms here.
    const steps = (performance.now() - startedMs - longestMs) / 100;
    expect([0, 1]).toContain(steps);
  });

  test("omit late keywords, but report failing ones", async () => {
    const embeddings = embedderOf(sentences);
    const others = { ...streams, graph: async () => [] };
    for (const keyword of [late, wordsAfter(1_100)]) {
      expect(await ask({ streams: { ...others, keyword }, embeddings })).toEqual([["vector", 1, "like"]]);
      expect(leftOut).toEqual(["keyword"]);
    }
    const withBroken = { streams: { ...others, keyword: broken }, embeddings };
    await expect(askStreams(withBroken, question, { ...ground, settings: noWeights })).rejects.toThrow(
      "broken",
    );
  });

  test.each([
    ["there are no others", { ...keywordsAlone }],
    ["the others find nothing", { ...streams, vector: async () => [], graph: async () => [] }],
    ["the others are late", { ...streams, vector: late, graph: late }],
  ])("wait for late keywords if %s, but not for ever", async (_when, others) => {
    const namesOf = async (keyword: SearchStreams["keyword"]) => {
      const asked = await ask({ streams: { ...others, keyword }, embeddings: embedderOf(sentences) });
      return asked.map(([name]) => name);
    };
    expect(await namesOf(wordsAfter(4_500))).toContain("keyword");
    expect(leftOut).not.toContain("keyword");
    expect(await namesOf(late)).not.toContain("keyword");
    expect(leftOut).toContain("keyword");
  });

  test("are not asked if they are turned off", async () => {
    const never = { ...streams, keyword: broken, vector: broken, graph: broken };
    const sources = { streams: never, embeddings: embedderOf(sentences) };
    expect(await ask(sources, { ...noWeights, bm25Weight: 0, vectorWeight: 0, graphWeight: 0 })).toEqual([]);
    expect(logged).toEqual([]);
  });

  test("are only the keywords for a question about a time alone, unless those are turned off", async () => {
    const sources = { streams, embeddings: embedderOf(sentences) };
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

describe("texts without a word of the query", () => {
  const similar = (score: number, given: Partial<SearchHit> = {}) =>
    hit(`like ${score}`, { id: 100 * score, score, ...given });
  const found = async (model: typeof potion, hits: readonly SearchHit[]) => {
    const asked = { ...keywordsAlone, vector: async () => [...hits] };
    const answered = await ask({ streams: asked, embeddings: embedderOf(model) });
    return answered.find(([name]) => name === "vector")?.[2];
  };

  test("must be more similar to it for a static model, which finds any texts similar", async () => {
    const hits = [similar(0.5), similar(0.3), hit("word", { score: 0.3 })];
    expect(await found(potion, hits)).toBe("like 0.5,word");
    expect(await found(sentences, hits)).toBe("like 0.5,like 0.3,word");
  });

  test("are at most three for a static model", async () => {
    const hits = [0.9, 0.8, 0.7, 0.6].map((score) => similar(score));
    expect(await found(potion, hits)).toBe("like 0.9,like 0.8,like 0.7");
    expect(await found(sentences, hits)).toBe("like 0.9,like 0.8,like 0.7,like 0.6");
  });

  test("are not the start and end of sessions, which tell nothing", async () => {
    const hits = [
      similar(0.9, { kind: "observation" }),
      similar(0.8, { kind: "observation", importance: 1 }),
    ];
    expect(await found(sentences, hits)).toBe("like 0.8");
  });
});

describe("the weight of the vector stream", () => {
  const weightOf = async (asked: SearchStreams, model: typeof potion, vectorWeight?: number) => {
    const settings = vectorWeight === undefined ? noWeights : { ...noWeights, vectorWeight };
    const answered = await ask({ streams: asked, embeddings: embedderOf(model) }, settings);
    return answered.find(([name]) => name === "vector")?.[1];
  };

  test("is tiny for a static model unless the keywords find no strong match", async () => {
    const { vector, vectorWhenUnsure } = figuresFor(potion);
    expect(await weightOf(streams, potion)).toBe(vector);
    expect(await weightOf(unsureStreams, potion)).toBe(vectorWhenUnsure);
    expect(vector).toBeLessThan(vectorWhenUnsure);
  });

  test("is that of a model that is only known once it was opened for the query", async () => {
    const embeddings: { model: typeof potion | undefined; embedQuery(): Promise<Float32Array> } = {
      model: undefined,
      embedQuery: async () => {
        await Promise.resolve();
        embeddings.model = potion;
        return Float32Array.of(1, 0);
      },
    };
    const answered = await ask({ streams, embeddings });
    expect(answered.find(([name]) => name === "vector")?.[1]).toBe(figuresFor(potion).vector);
  });

  test("equals that of the keywords for a sentence model, sure or not", async () => {
    expect(await weightOf(streams, sentences)).toBe(1);
    expect(await weightOf(unsureStreams, sentences)).toBe(1);
  });

  test("is that of the setting if there is one", async () => {
    expect(await weightOf(streams, potion, 0.7)).toBe(0.7);
  });

  test("is too small for static vectors beside sure keywords to reorder keyword hits", () => {
    const { vector } = figuresFor(potion);
    // The smallest difference between two neighbouring ranks of fifty is that between the last two.
    expect(vector / 61).toBeLessThan(1 / 109 - 1 / 110 + vector / 110);
  });
});

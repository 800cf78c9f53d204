import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openTestCore, type TestCore } from "../../test/support/core.ts";
import { tinyDimensions, writeTinyStaticModel } from "../../test/support/tiny-model.ts";
import { putDocument } from "../index/documents/documents.ts";
import { makeDocument } from "../index/index-fixture.ts";
import { storeVectors } from "../index/vectors/vectors.ts";
import { MemsvcError } from "../operation/errors.ts";
import { Metrics } from "../operation/metrics.ts";
import { chooseEmbedding } from "./choice.ts";
import { Embeddings } from "./embeddings.ts";
import type { EmbeddingModel, EmbeddingProvider } from "./provider.ts";

let opened: TestCore | undefined;
afterEach(async () => {
  await opened?.close();
});

const model: EmbeddingModel = { provider: "openai", name: "m", dimensions: 2, fingerprint: "openai/m/2" };

interface Scripted {
  readonly embeddings: Embeddings;
  readonly metrics: Metrics;
  readonly asked: string[];
}

/** Writes one document with a vector of the model. */
async function storeOne({ core }: TestCore, fingerprint: string): Promise<void> {
  await core.ground.store.write(async (tx) => {
    await putDocument(tx.sql, makeDocument({ ref: "a" }));
    await storeVectors(tx.sql, fingerprint, [{ id: 1, chunks: [Float32Array.of(1, 0)] }]);
  });
}

/** Opens the service over a provider whose answers to questions are given by the test. */
async function scripted(embedQuery: EmbeddingProvider["embedQuery"]): Promise<Scripted> {
  opened = await openTestCore({
    env: {
      MEMSVC_EMBEDDING_PROVIDER: "openai",
      MEMSVC_EMBEDDING_BASE_URL: "http://127.0.0.1:9",
      MEMSVC_EMBEDDING_MODEL: "m",
      MEMSVC_EMBEDDING_DIMENSIONS: "2",
    },
  });
  await storeOne(opened, model.fingerprint);
  const asked: string[] = [];
  const metrics = new Metrics();
  const provider: EmbeddingProvider = {
    model,
    embedDocuments: async (texts) => texts.map(() => [Float32Array.of(1, 0)]),
    embedQuery: (text, signal) => {
      asked.push(text);
      return embedQuery(text, signal);
    },
    close: async () => undefined,
  };
  return { embeddings: new Embeddings(opened.core.ground, metrics, async () => provider), metrics, asked };
}

test("without a model no vectors are available, and the reason is given", async () => {
  opened = await openTestCore();
  const { embeddings } = opened.core;
  expect(embeddings).toMatchObject({ available: false, model: undefined });
  expect(await embeddings.embedQuery("cat")).toBeUndefined();
  expect(embeddings.problem).toContain("memsvc models pull");
  embeddings.fetchProblem = "no network";
  expect(embeddings.problem).toBe("no network");
});

test("a user who wants no vectors sees no problem", async () => {
  opened = await openTestCore({ env: { MEMSVC_EMBEDDING_PROVIDER: "none" } });
  expect(opened.core.embeddings).toMatchObject({ available: false, problem: undefined });
});

test("a model installed while the program runs is used a second later", async () => {
  opened = await openTestCore({
    env: { MEMSVC_EMBEDDING_PROVIDER: "static", MEMSVC_EMBEDDING_MODEL: "tiny" },
  });
  const { embeddings } = opened.core;
  expect(embeddings.available).toBe(false);
  writeTinyStaticModel(join(opened.home, "models", "tiny"));
  expect(embeddings.available).toBe(false);
  opened.advance(1_000);
  expect(embeddings).toMatchObject({
    available: true,
    problem: undefined,
    model: { provider: "static", name: "tiny", dimensions: tinyDimensions },
  });
  await storeOne(opened, embeddings.model?.fingerprint ?? "");
  expect(await embeddings.embedQuery("cat")).toHaveLength(tinyDimensions);
});

test("a model whose files were put right is used as it is then, under its own fingerprint", async () => {
  opened = await openTestCore({
    env: { MEMSVC_EMBEDDING_PROVIDER: "static", MEMSVC_EMBEDDING_MODEL: "tiny" },
  });
  const folder = join(opened.home, "models", "tiny");
  writeTinyStaticModel(folder);
  const whole = readFileSync(join(folder, "model.safetensors"));
  // As while the files are being copied: the configuration of a model that was there before, and a part of the table.
  writeFileSync(join(folder, "config.json"), JSON.stringify({ model_type: "model2vec", hidden_dim: 8 }));
  writeFileSync(join(folder, "model.safetensors"), whole.subarray(0, 5_000));
  const { embeddings } = opened.core;
  await expect(embeddings.embedDocuments(["cat"])).rejects.toThrow("cannot be loaded");
  writeTinyStaticModel(folder);
  expect(embeddings.available).toBe(false);
  opened.advance(600_000);
  expect(await embeddings.embedDocuments(["cat"])).toMatchObject([[{ length: tinyDimensions }]]);
  const chosen = chooseEmbedding(opened.home, opened.core.ground.settings);
  expect(embeddings.model).toEqual(chosen.kind === "static" && chosen.model);
});

test("a model whose files are replaced while it works is used as it is then, under its own fingerprint", async () => {
  opened = await openTestCore({
    env: { MEMSVC_EMBEDDING_PROVIDER: "static", MEMSVC_EMBEDDING_MODEL: "tiny" },
  });
  const { embeddings, ground } = opened.core;
  const folder = join(opened.home, "models", "tiny");
  writeTinyStaticModel(folder);
  await embeddings.embedDocuments(["cat"]);
  const before = embeddings.model?.fingerprint;
  await storeOne(opened, before ?? "");
  const look = async () => {
    opened?.advance(1_000);
    await embeddings.embedQuery("cat");
  };
  // As while the new file is being written.
  writeFileSync(join(folder, "model.safetensors"), "a part of it");
  await look();
  writeTinyStaticModel(folder, "F16");
  await look();
  expect(embeddings.model?.fingerprint).toBe(before);
  await look();
  expect(await embeddings.embedDocuments(["cat"])).toMatchObject([[{ length: tinyDimensions }]]);
  const chosen = chooseEmbedding(opened.home, ground.settings);
  expect(embeddings.model).toEqual(chosen.kind === "static" && chosen.model);
  expect(embeddings.model?.fingerprint).not.toBe(before);
});

test("no query is embedded while no document has a vector of the model", async () => {
  const { embeddings, asked } = await scripted(async () => Float32Array.of(1, 0));
  const { store } = opened?.core.ground ?? {};
  await store?.write((tx) => tx.sql.run("UPDATE document_vectors SET fingerprint = 'older'"));
  expect(await embeddings.embedQuery("cat")).toBeUndefined();
  expect(asked).toEqual([]);
});

test("a query is embedded once, and the oldest of a hundred is forgotten", async () => {
  const { embeddings, asked } = await scripted(async () => Float32Array.of(0, 1));
  await embeddings.embedQuery("first");
  expect(await embeddings.embedQuery(" first ")).toEqual(Float32Array.of(0, 1));
  expect(asked).toEqual(["first"]);
  for (let index = 0; index < 99; index += 1) await embeddings.embedQuery(`q${index}`);
  await embeddings.embedQuery("first");
  expect(asked).toHaveLength(100);
  await embeddings.embedQuery("one more");
  await embeddings.embedQuery("first");
  await embeddings.embedQuery("q0");
  expect(asked.slice(100)).toEqual(["one more", "q0"]);
});

test("a query that exceeds its deadline fails, even if the provider ignores the deadline", async () => {
  const { embeddings, metrics } = await scripted(() => new Promise(() => undefined));
  await expect(embeddings.embedQuery("cat", 20)).rejects.toThrow("no answer in 20 ms");
  expect(metrics.list()).toMatchObject([{ functionId: "embed.query", totalCalls: 1, failureCount: 1 }]);
  expect(embeddings.available).toBe(true);
});

test("a failing provider is asked again, an unusable one only after ten minutes", async () => {
  const errors = [
    new MemsvcError("provider_failed", "HTTP 500"),
    new MemsvcError("unavailable", "the key is not accepted"),
  ];
  const { embeddings, asked } = await scripted(async () => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return Float32Array.of(1, 0);
  });
  await expect(embeddings.embedQuery("a")).rejects.toThrow("HTTP 500");
  expect(embeddings).toMatchObject({ available: true, problem: "HTTP 500" });
  await expect(embeddings.embedQuery("b")).rejects.toThrow("the key is not accepted");
  expect(embeddings).toMatchObject({
    available: false,
    model: undefined,
    problem: "the key is not accepted",
  });
  expect(await embeddings.embedQuery("c")).toBeUndefined();
  expect(asked).toEqual(["a", "b"]);
  opened?.advance(600_000);
  expect(embeddings).toMatchObject({ available: true, problem: "the key is not accepted" });
  expect(await embeddings.embedQuery("d")).toHaveLength(2);
  expect(embeddings).toMatchObject({ available: true, problem: undefined });
});

test("a provider's problem includes its hint", async () => {
  const { embeddings } = await scripted(async () => {
    throw new MemsvcError("unavailable", "another length of vectors", { hint: "set DIMENSIONS=8" });
  });
  await expect(embeddings.embedQuery("a")).rejects.toThrow("another length of vectors");
  expect(embeddings.problem).toBe("another length of vectors (set DIMENSIONS=8)");
});

const broken = async () => {
  throw new MemsvcError("provider_failed", "HTTP 500");
};

test.each<[string, EmbeddingProvider["embedQuery"]]>([
  ["fails", broken],
  ["does not answer in time", () => new Promise(() => undefined)],
])("a vendor that %s three times in a row gets no queries for a minute, then one", async (_, embedQuery) => {
  const { embeddings, asked } = await scripted(embedQuery);
  const ask = (text: string) => expect(embeddings.embedQuery(text, 20)).rejects.toThrow();
  for (const text of ["a", "b", "c", "d"]) await ask(text);
  expect(asked).toEqual(["a", "b", "c"]);
  opened?.advance(60_000);
  await Promise.all(["e", "f"].map(ask));
  expect(asked.slice(3)).toEqual(["e"]);
});

test("a vendor that asks for a longer pause gets it, and is asked again afterwards", async () => {
  let isBusy = true;
  const { embeddings, asked } = await scripted(async () => {
    if (!isBusy) return Float32Array.of(1, 0);
    throw new MemsvcError("provider_failed", "HTTP 429", { extra: { retryAfterMs: 300_000 } });
  });
  const askInVain = (text: string) => expect(embeddings.embedQuery(text)).rejects.toThrow();
  for (const text of ["a", "b", "c"]) await askInVain(text);
  isBusy = false;
  opened?.advance(299_000);
  await askInVain("d");
  opened?.advance(1_000);
  expect(await embeddings.embedQuery("d")).toHaveLength(2);
  expect(await embeddings.embedQuery("e")).toHaveLength(2);
  expect(asked).toEqual(["a", "b", "c", "d", "e"]);
});

test("a query that a vendor refuses blocks no other query", async () => {
  const { embeddings, asked } = await scripted(async () => {
    throw new MemsvcError("provider_failed", "HTTP 400", { extra: { refused: true } });
  });
  for (const text of ["a", "b", "c", "d"])
    await expect(embeddings.embedQuery(text)).rejects.toThrow("HTTP 400");
  expect(asked).toHaveLength(4);
});

test("documents and queries are counted separately in the metrics", async () => {
  const { embeddings, metrics } = await scripted(async () => Float32Array.of(1, 0));
  await embeddings.embedDocuments(["a", "b"]);
  await embeddings.embedQuery("c");
  expect(metrics.list().map(({ functionId, totalCalls }) => [functionId, totalCalls])).toEqual([
    ["embed.document", 1],
    ["embed.query", 1],
  ]);
});

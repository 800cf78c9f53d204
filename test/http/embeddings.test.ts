import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { DocumentEmbedder } from "../../src/embedding/document-embedder.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { flags, health } from "../../src/governance/health/operations.ts";
import { storeVectors } from "../../src/index/vectors/vectors.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { openEmbeddingServer } from "../support/embedding-server.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { tinyDimensions, writeTinyStaticModel } from "../support/tiny-model.ts";

let http: TestHttp | undefined;
afterEach(() => http?.close());

test("without an embedding model the flags say none, and health says which one is missing", async () => {
  http = await openTestHttp();
  expect(await http.ok(flags, {})).toMatchObject({ embeddingProvider: "none" });
  const { health: snapshot, status } = await http.ok(health, {});
  expect(status).toBe("healthy");
  expect(snapshot).toMatchObject({
    index: { model: "none", dimensions: 0, vectors: 0 },
    notes: [expect.stringContaining("all-MiniLM-L6-v2 is not installed")],
  });
});

test("with an embedding model the flags say so, and health counts vectors and pending records", async () => {
  http = await openTestHttp({ env: { MEMSVC_EMBEDDING_PROVIDER: "static", MEMSVC_EMBEDDING_MODEL: "tiny" } });
  writeTinyStaticModel(join(http.home, "models", "tiny"));
  expect(await http.ok(flags, {})).toMatchObject({ embeddingProvider: "embeddings" });
  await http.ok(remember, { content: "the cat sat on the mat" });
  await http.ok(remember, { content: "deploy the staging database" });
  await DocumentEmbedder.runOnce(http.core.ground, http.core.embeddings);
  await http.ok(remember, { content: "reset the password" });
  const answer = await http.ok(health, {});
  expect(answer.health).toMatchObject({
    index: { documents: 3, vectors: 2, pendingEmbeddings: 1, model: "tiny", dimensions: tinyDimensions },
    notes: [],
  });
  expect(answer.functionMetrics).toContainEqual(
    expect.objectContaining({ functionId: "embed.document", totalCalls: 1, failureCount: 0 }),
  );
});

test("diagnostics find vectors of another model, and heal has them computed again", async () => {
  http = await openTestHttp({ env: { MEMSVC_EMBEDDING_PROVIDER: "static", MEMSVC_EMBEDDING_MODEL: "tiny" } });
  writeTinyStaticModel(join(http.home, "models", "tiny"));
  const { ground, embeddings } = http.core;
  for (const content of ["the cat sat on the mat", "deploy the staging database"])
    await http.ok(remember, { content, project: "shop" });
  await DocumentEmbedder.runOnce(ground, embeddings);
  const categories: "index"[] = ["index"];
  expect((await http.ok(diagnose, { categories })).summary).toMatchObject({ pass: 1, warn: 0 });
  await ground.store.write((tx) =>
    tx.sql.run(
      "UPDATE document_vectors SET fingerprint = 'another' WHERE document_id IN (SELECT min(id) FROM documents)",
    ),
  );
  expect((await http.ok(diagnose, { categories })).checks).toMatchObject([
    { name: "stale-vectors", status: "warn", count: 1, fixable: true },
  ]);
  expect(await http.ok(heal, { categories })).toMatchObject({ fixed: 1, skipped: 0 });
  expect((await http.ok(diagnose, { categories })).summary).toMatchObject({ pass: 1, warn: 0 });
  expect((await http.core.health.sample()).index).toMatchObject({ vectors: 1, pendingEmbeddings: 1 });
  await DocumentEmbedder.runOnce(ground, embeddings);
  expect((await http.core.health.sample()).index).toMatchObject({ vectors: 2, pendingEmbeddings: 0 });
});

test("diagnostics find records without vectors, and heal has them tried again", async () => {
  http = await openTestHttp({ env: { MEMSVC_EMBEDDING_PROVIDER: "static", MEMSVC_EMBEDDING_MODEL: "tiny" } });
  writeTinyStaticModel(join(http.home, "models", "tiny"));
  const { ground, embeddings } = http.core;
  const { memoryId } = await http.ok(remember, { content: "the cat sat on the mat" });
  await http.ok(remember, { content: "deploy the staging database" });
  await DocumentEmbedder.runOnce(ground, embeddings);
  const { fingerprint = "" } = embeddings.model ?? {};
  const [first] = await ground.store.read.sql.values("SELECT min(id) FROM documents");
  // What is stored when a provider rejects a text.
  await ground.store.write((tx) =>
    storeVectors(tx.sql, fingerprint, [{ id: Number(first?.[0]), chunks: [] }]),
  );
  const categories: "index"[] = ["index"];
  expect((await http.ok(diagnose, { categories })).checks).toMatchObject([
    { name: "missing-vectors", status: "warn", count: 1, ids: [memoryId], fixable: true },
  ]);
  expect(await http.ok(heal, { categories })).toMatchObject({ fixed: 1, skipped: 0 });
  await DocumentEmbedder.runOnce(ground, embeddings);
  expect((await http.ok(diagnose, { categories })).summary).toMatchObject({ pass: 1, warn: 0 });
});

test("diagnostics advise another model when the model knows none of a record's words", async () => {
  http = await openTestHttp({ env: { MEMSVC_EMBEDDING_PROVIDER: "static", MEMSVC_EMBEDDING_MODEL: "tiny" } });
  writeTinyStaticModel(join(http.home, "models", "tiny"));
  const { ground, embeddings } = http.core;
  await http.ok(remember, { content: "ж 日本" });
  await DocumentEmbedder.runOnce(ground, embeddings);
  const categories: "index"[] = ["index"];
  expect((await http.ok(diagnose, { categories })).checks).toMatchObject([
    {
      name: "missing-vectors",
      message:
        "no vectors for 1 records, which are found only by words: the model rejected them, or it knows none of their words and another model is needed",
    },
  ]);
});

test("an embedding server that never answers delays shutdown no longer than a search", async () => {
  const server = await openEmbeddingServer();
  server.misbehave(() => undefined);
  http = await openTestHttp({
    env: {
      MEMSVC_EMBEDDING_PROVIDER: "openai",
      MEMSVC_EMBEDDING_BASE_URL: server.url,
      MEMSVC_EMBEDDING_MODEL: "my-own",
    },
  });
  try {
    await http.ok(remember, { content: "the cat sat on the mat" });
    const embedder = DocumentEmbedder.start(http.core.ground, http.core.embeddings);
    expect((await http.ok(smartSearch, { query: "cat" })).results).toHaveLength(1);
    await embedder.close();
    await http.close();
    http = undefined;
    expect(server.asked).toHaveLength(1);
  } finally {
    await server.close();
  }
});

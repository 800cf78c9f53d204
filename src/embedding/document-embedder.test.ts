import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestCore, type TestCore } from "../../test/support/core.ts";
import { putDocument, removeDocuments } from "../index/documents/documents.ts";
import { makeDocument } from "../index/index-fixture.ts";
import { countVectors } from "../index/vectors/vectors.ts";
import { MemsvcError } from "../operation/errors.ts";
import { Metrics } from "../operation/metrics.ts";
import { copyDatabase } from "../store/database-file.ts";
import { firstNumber } from "../store/sql.ts";
import { DocumentEmbedder } from "./document-embedder.ts";
import { Embeddings } from "./embeddings.ts";
import type { EmbeddingProvider } from "./provider.ts";

let opened: TestCore;
let embedder: DocumentEmbedder | undefined;
/** The texts that the provider was given, batch by batch. */
let batches: string[][];
/** Runs before each batch; it may throw or wait. */
let before: (texts: readonly string[]) => Promise<void>;
beforeEach(async () => {
  opened = await openTestCore({
    env: {
      MEMSVC_EMBEDDING_PROVIDER: "openai",
      MEMSVC_EMBEDDING_BASE_URL: "http://127.0.0.1:9",
      MEMSVC_EMBEDDING_DIMENSIONS: "2",
      MEMSVC_EMBEDDING_BATCH_SIZE: "4",
    },
  });
  batches = [];
  before = async () => undefined;
});
afterEach(async () => {
  await embedder?.close();
  embedder = undefined;
  await opened.close();
});

function embeddingsOf(fingerprint: string): Embeddings {
  const provider: EmbeddingProvider = {
    model: { provider: "openai", name: "m", dimensions: 2, fingerprint },
    embedDocuments: async (texts) => {
      batches.push([...texts]);
      await before(texts);
      return texts.map((text) => [Float32Array.of(text.length, 0)]);
    },
    embedQuery: async () => undefined,
    close: async () => undefined,
  };
  return new Embeddings(opened.core.ground, new Metrics(), async () => provider);
}

async function put(ref: string, body = ref): Promise<void> {
  await opened.core.ground.store.write((tx) =>
    putDocument(tx.sql, makeDocument({ ref, title: "", concepts: [], body })),
  );
}

function counts(fingerprint = "m1") {
  return countVectors(opened.core.ground.store.read.sql, fingerprint);
}

const runOnce = (fingerprint = "m1") =>
  DocumentEmbedder.runOnce(opened.core.ground, embeddingsOf(fingerprint));
const texts = () => batches.flat().map((text) => text.trim());

describe("embedding pending documents", () => {
  test("uses batches of the set size until none is pending", async () => {
    for (const ref of ["a", "b", "c", "d", "e", "f"]) await put(ref);
    await runOnce();
    expect(batches.map(({ length }) => length)).toEqual([4, 2]);
    expect(await counts()).toEqual({ embedded: 6, pending: 0 });
    await runOnce();
    expect(batches).toHaveLength(2);
  });

  test("learns the vendor's model even if no document is pending", async () => {
    await opened.close();
    opened = await openTestCore({
      env: {
        MEMSVC_EMBEDDING_PROVIDER: "openai",
        MEMSVC_EMBEDDING_BASE_URL: "http://127.0.0.1:9",
        MEMSVC_EMBEDDING_MODEL: "my-own",
      },
    });
    const embeddings = embeddingsOf("m1");
    expect(embeddings).toMatchObject({ available: true, model: undefined });
    await DocumentEmbedder.runOnce(opened.core.ground, embeddings);
    expect(embeddings.model).toMatchObject({ fingerprint: "m1" });
  });

  test("takes fewer documents at a time if they are long, but at least one", async () => {
    for (const ref of ["a", "b", "c"]) await put(ref, `${ref} `.repeat(9_000));
    await runOnce();
    expect(batches.map(({ length }) => length)).toEqual([2, 1]);
  });

  test("embeds all again with another model, whose vectors replace the old ones", async () => {
    await put("a");
    await put("b");
    await runOnce("m1");
    await runOnce("m2");
    expect(texts()).toEqual(["b", "a", "b", "a"]);
    expect(await counts("m2")).toEqual({ embedded: 2, pending: 0 });
    // Both would wait if the model were changed back.
    expect(await counts("m1")).toEqual({ embedded: 0, pending: 2 });
  });

  test("embeds what is saved meanwhile before all that a change of model queued", async () => {
    for (let index = 0; index < 12; index += 1) await put(`d${index}`);
    await runOnce("m1");
    batches = [];
    before = async () => {
      before = async () => undefined;
      await put("new");
    };
    await runOnce("m2");
    expect(batches[1]?.[0]?.trim()).toBe("new");
    expect(await counts("m2")).toEqual({ embedded: 13, pending: 0 });
  });

  test("returns to the first model while the second one is incomplete", async () => {
    for (const ref of ["a", "b", "c", "d", "e", "f", "g", "h"]) await put(ref);
    await runOnce("m1");
    before = async () => {
      before = async () => Promise.reject(new MemsvcError("provider_failed", "down"));
    };
    await expect(runOnce("m2")).rejects.toThrow("down");
    expect(await counts("m2")).toEqual({ embedded: 4, pending: 4 });
    before = async () => undefined;
    await runOnce("m1");
    expect(await counts("m1")).toEqual({ embedded: 8, pending: 0 });
  });

  test("embeds a document again if its text changed meanwhile", async () => {
    await put("a", "old");
    before = async () => {
      before = async () => undefined;
      await put("a", "new");
    };
    await runOnce();
    expect(texts()).toEqual(["old", "new"]);
    expect(await counts()).toEqual({ embedded: 1, pending: 0 });
  });

  test("skips a document that was deleted meanwhile", async () => {
    await put("a");
    await put("b");
    before = async () => {
      await opened.core.ground.store.write((tx) => removeDocuments(tx, "observation", ["a"]));
    };
    await runOnce();
    expect(await counts()).toEqual({ embedded: 1, pending: 0 });
  });

  test("gives the same result when run twice at once", async () => {
    for (let index = 0; index < 20; index += 1) await put(`d${index}`);
    await Promise.all([runOnce(), runOnce()]);
    expect(await counts()).toEqual({ embedded: 20, pending: 0 });
  });

  test.each([
    ["refuses", true],
    ["fails at", false],
  ])("embeds in short pieces what a provider %s because it is too long", async (_name, refused) => {
    for (const ref of ["a", "b"]) await put(ref);
    await put("long", "数据库迁移".repeat(240));
    before = async (asked) => {
      if (asked.some((text) => text.length > 512))
        throw new MemsvcError("provider_failed", "too many tokens", { extra: { refused } });
    };
    await runOnce();
    expect(await counts()).toEqual({ embedded: 3, pending: 0 });
    const { sql } = opened.core.ground.store.read;
    expect(await firstNumber(sql, "SELECT count(*) FROM document_vectors WHERE document_id = 3")).toBe(4);
  });

  test("skips a document that the provider refuses, but not its neighbours", async () => {
    for (const ref of ["a", "b", "bad", "d", "e"]) await put(ref);
    before = async (asked) => {
      if (asked.some((text) => text.includes("bad")))
        throw new MemsvcError("provider_failed", "no", { extra: { refused: true } });
    };
    await runOnce();
    expect(await counts()).toEqual({ embedded: 4, pending: 0 });
  });

  test("keeps all documents queued while the provider refuses everything", async () => {
    for (const ref of ["a", "b", "c", "d"]) await put(ref);
    before = async () => {
      throw new MemsvcError("provider_failed", "the budget is spent", { extra: { refused: true } });
    };
    await expect(runOnce()).rejects.toThrow("the budget is spent");
    expect(await counts()).toEqual({ embedded: 0, pending: 4 });
    expect(batches.map(({ length }) => length)).toEqual([4, 2, 1, 1]);
  });

  test("skips a document at which an otherwise working provider keeps failing", async () => {
    for (const ref of ["a", "b", "bad", "d", "e"]) await put(ref);
    before = async (asked) => {
      if (asked.some((text) => text.includes("bad"))) throw new MemsvcError("provider_failed", "HTTP 500");
    };
    await runOnce();
    expect(await counts()).toEqual({ embedded: 4, pending: 0 });
  });

  test("asks once more for a failed document before it skips it", async () => {
    await put("a");
    let failures = 1;
    before = async () => {
      failures -= 1;
      if (failures >= 0) throw new MemsvcError("provider_failed", "HTTP 500");
    };
    await runOnce();
    expect(await counts()).toEqual({ embedded: 1, pending: 0 });
  });

  test("keeps the vectors that were made before a failure", async () => {
    for (const ref of ["d", "bad", "b", "a"]) await put(ref);
    before = async (asked) => {
      if (asked.some((text) => text.includes("bad")))
        throw new MemsvcError("provider_failed", "no", { extra: { refused: true } });
      if (asked.some((text) => text.includes("a text"))) throw new MemsvcError("provider_failed", "down");
    };
    await expect(runOnce()).rejects.toThrow("down");
    expect(await counts()).toEqual({ embedded: 2, pending: 2 });
  });

  test("keeps all documents queued and stops asking when there are too many requests", async () => {
    for (const ref of ["a", "b", "c"]) await put(ref);
    before = async () => {
      throw new MemsvcError("provider_failed", "HTTP 429", { extra: { retryAfterMs: 60_000 } });
    };
    await expect(runOnce()).rejects.toThrow("HTTP 429");
    expect(await counts()).toEqual({ embedded: 0, pending: 3 });
    expect(batches).toHaveLength(1);
  });

  test("leaves the queue unchanged if the provider fails", async () => {
    await put("a");
    before = async () => {
      throw new MemsvcError("provider_failed", "down");
    };
    await expect(runOnce()).rejects.toThrow("down");
    expect(await counts()).toEqual({ embedded: 0, pending: 1 });
  });
});

describe("the embedding loop", () => {
  test("embeds documents written while it runs", async () => {
    embedder = DocumentEmbedder.start(opened.core.ground, embeddingsOf("m1"));
    await put("later");
    await expect.poll(() => counts()).toEqual({ embedded: 1, pending: 0 });
    await expect.poll(() => embedder?.state).toBe("idle");
  });

  test("embeds the documents of a store that another program puts in place", async () => {
    const { store } = opened.core.ground;
    await put("a");
    await runOnce("m0");
    const copy = join(opened.home, "copy");
    copyDatabase(store.path, copy);
    embedder = DocumentEmbedder.start(opened.core.ground, embeddingsOf("m1"));
    await expect.poll(() => counts()).toEqual({ embedded: 1, pending: 0 });
    await expect.poll(() => embedder?.state).toBe("idle");
    renameSync(copy, store.path);
    await store.followFile();
    embedder.wake();
    await expect.poll(() => counts()).toEqual({ embedded: 1, pending: 0 });
  });

  test("continues after a failure", async () => {
    let failures = 1;
    before = async () => {
      failures -= 1;
      if (failures >= 0) throw new MemsvcError("provider_failed", "down");
    };
    await put("a");
    embedder = DocumentEmbedder.start(opened.core.ground, embeddingsOf("m1"));
    await expect.poll(() => counts()).toEqual({ embedded: 1, pending: 0 });
  });

  test("leaves a provider alone as long as it asks for", async () => {
    await put("a");
    before = async () => {
      throw new MemsvcError("provider_failed", "HTTP 429", { extra: { retryAfterMs: 60_000 } });
    };
    embedder = DocumentEmbedder.start(opened.core.ground, embeddingsOf("m1"));
    await expect.poll(() => batches).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(batches).toHaveLength(1);
  });

  test("stops when closed, stores nothing more and leaves the document queued", async () => {
    await put("a");
    const reached = new Promise<void>((resolve) => {
      before = () => {
        resolve();
        return new Promise((_, reject) => setTimeout(() => reject(new Error("aborted")), 20));
      };
    });
    embedder = DocumentEmbedder.start(opened.core.ground, embeddingsOf("m1"));
    await reached;
    await embedder.close();
    expect(embedder.state).toBe("stopped");
    expect(await counts()).toEqual({ embedded: 0, pending: 1 });
    embedder.wake();
    expect(embedder.state).toBe("stopped");
  });
});

import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LocalProvider } from "../../src/embedding/local/local-provider.ts";
import type { EmbeddingProvider } from "../../src/embedding/provider.ts";
import { RemoteProvider } from "../../src/embedding/remote/remote-provider.ts";
import { StaticProvider } from "../../src/embedding/static/static-provider.ts";
import { type EmbeddingServer, openEmbeddingServer, serverDimensions } from "../support/embedding-server.ts";
import { builtEmbeddingThread } from "../support/embedding-thread.ts";
import { sharedFolder } from "../support/temporary-folder.ts";
import { tinyDimensions, writeTinyOnnxModel, writeTinyStaticModel } from "../support/tiny-model.ts";

const folder = sharedFolder();
let server: EmbeddingServer;
beforeAll(async () => {
  writeTinyOnnxModel(join(folder, "tiny"));
  writeTinyStaticModel(join(folder, "tiny-static"));
  server = await openEmbeddingServer();
});
afterAll(() => server.close());

const openers: Readonly<Record<string, () => Promise<EmbeddingProvider>>> = {
  local: async () =>
    new LocalProvider({
      model: { provider: "local", name: "tiny", dimensions: tinyDimensions, fingerprint: "local/tiny" },
      folder: join(folder, "tiny"),
      threadFile: builtEmbeddingThread(),
    }),
  static: () =>
    StaticProvider.open({
      model: { provider: "static", name: "tiny", dimensions: tinyDimensions, fingerprint: "static/tiny" },
      folder: join(folder, "tiny-static"),
      weights: "model.safetensors",
    }),
  remote: () =>
    RemoteProvider.open({
      vendor: "openai",
      model: "words",
      baseUrl: server.url,
      apiKey: "key",
      dimensions: serverDimensions,
      batchSize: 4,
      timeoutMs: 5_000,
    }),
};

describe.each(Object.entries(openers))("the %s provider", (_name, open) => {
  let provider: EmbeddingProvider;
  beforeEach(async () => {
    provider = await open();
  });
  afterEach(() => provider.close());

  test("embeds a short text as one unit vector of the model's dimensions, the same each time", async () => {
    const [chunks = []] = await provider.embedDocuments(["Deploy to staging, then reset the token."]);
    expect(chunks).toHaveLength(1);
    const [vector = new Float32Array()] = chunks;
    expect(vector).toHaveLength(provider.model.dimensions);
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    const [again = []] = await provider.embedDocuments(["Deploy to staging, then reset the token."]);
    expect([...(again[0] ?? [])]).toEqual([...vector]);
  });

  test("answers in the order of the texts, whatever their lengths", async () => {
    const texts = [
      "queue",
      "the retry of the queue is with jitter and backoff, deploy by deploy",
      "password reset",
      "a".repeat(300),
      "cat",
    ];
    const together = await provider.embedDocuments(texts);
    expect(together).toHaveLength(texts.length);
    for (const [index, text] of texts.entries()) {
      const [alone = []] = await provider.embedDocuments([text]);
      expect(together[index]).toHaveLength(alone.length);
      for (const [chunk, vector] of alone.entries())
        expect(cosine(together[index]?.[chunk] ?? new Float32Array(), vector)).toBeGreaterThan(0.9999);
    }
  });

  test("ranks the text that shares the question's words as closer", async () => {
    const question = (await provider.embedQuery("reset the password")) ?? new Float32Array();
    const [[near], [far]] = (await provider.embedDocuments([
      "the password reset",
      "database migration schema",
    ])) as [[Float32Array], [Float32Array]];
    expect(cosine(question, near)).toBeGreaterThan(cosine(question, far) + 0.1);
  });

  test("splits a long text into chunks up to its end", async () => {
    const long = `${"retry the queue with jitter. ".repeat(180)} migration of the database schema`;
    const [chunks = []] = await provider.embedDocuments([long]);
    expect(chunks.length).toBeGreaterThan(1);
    const question = (await provider.embedQuery("database schema migration")) ?? new Float32Array();
    const scores = chunks.map((chunk) => cosine(question, chunk));
    expect(Math.max(...scores)).toBe(scores.at(-1));
  });

  test("accepts any text, and limits its chunks to 32", async () => {
    const odd = [
      "",
      " \n\t",
      "\u0000\u200b",
      "日本語のテキスト",
      "👩‍👩‍👧 x",
      "\ud800",
      "z".repeat(16_000),
      "é̄ ﬁ",
    ];
    const made = await provider.embedDocuments(odd);
    expect(made).toHaveLength(odd.length);
    for (const chunks of made) {
      expect(chunks.length).toBeLessThanOrEqual(32);
      for (const vector of chunks) expect(cosine(vector, vector)).toBeCloseTo(1, 4);
    }
  });

  test("returns nothing for no texts", async () => {
    expect(await provider.embedDocuments([])).toEqual([]);
  });

  test("rejects a request whose signal is already aborted", async () => {
    const reason = new Error("changed my mind");
    await expect(provider.embedDocuments(["queue"], AbortSignal.abort(reason))).rejects.toThrow(reason);
    await expect(provider.embedQuery("queue", AbortSignal.abort(reason))).rejects.toThrow(reason);
  });

  test("answers ten concurrent questions", async () => {
    const alone = await provider.embedQuery("cat 3");
    const all = await Promise.all(Array.from({ length: 10 }, (_, at) => provider.embedQuery(`cat ${at}`)));
    expect(cosine(all[3] ?? new Float32Array(), alone ?? new Float32Array())).toBeCloseTo(1, 5);
  });

  test("can be closed twice", async () => {
    await provider.embedQuery("cat");
    await provider.close();
    await provider.close();
  });
});

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

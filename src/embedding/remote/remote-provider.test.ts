import { beforeEach, describe, expect, test } from "vitest";
import {
  answer,
  type Misbehaviour,
  openEmbeddingServer,
  serverDimensions,
  status,
  vectorOfWords,
} from "../../../test/support/embedding-server.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { whileCollecting } from "../../../test/support/garbage.ts";
import type { RemoteEndpoint, VendorName } from "./endpoint.ts";
import { RemoteProvider } from "./remote-provider.ts";

const server = forEachTest(openEmbeddingServer);
let pauses: number[];
beforeEach(() => {
  pauses = [];
});

function open(endpoint: Partial<RemoteEndpoint> = {}): Promise<RemoteProvider> {
  const whole: RemoteEndpoint = {
    vendor: "openai",
    model: "text-embedding-3-small",
    baseUrl: server.url,
    apiKey: "sk-secret",
    dimensions: serverDimensions,
    batchSize: 32,
    timeoutMs: 5_000,
    ...endpoint,
  };
  return RemoteProvider.open(whole, {
    pause: async (delayMs) => {
      pauses.push(delayMs);
    },
  });
}

function vectors(length: number, count = 1): Misbehaviour {
  const data = Array.from({ length: count }, (_, index) => ({
    index,
    embedding: vectorOfWords("x", length),
  }));
  return (response) => answer(response, { data });
}

/** Answers with the right vectors, in the order of the texts, but with these indexes. */
function indexed(...indexes: readonly (number | undefined)[]): Misbehaviour {
  return (response, { body }) => {
    const texts = body.input as readonly string[];
    const data = indexes.map((index, at) => ({ index, embedding: vectorOfWords(texts[at] ?? "") }));
    answer(response, { data });
  };
}

describe("requests to vendors", () => {
  test.each<[VendorName, string, Record<string, unknown>, Record<string, unknown>]>([
    [
      "openai",
      "/embeddings",
      { input: ["a cat"], dimensions: 24, encoding_format: "float" },
      { input: ["a dog"] },
    ],
    ["openrouter", "/embeddings", { input: ["a cat"], dimensions: 24 }, { input: ["a dog"] }],
    [
      "voyage",
      "/embeddings",
      { input: ["a cat"], input_type: "document", output_dimension: 24 },
      { input: ["a dog"], input_type: "query" },
    ],
    [
      "cohere",
      "/embed",
      { texts: ["a cat"], input_type: "search_document", embedding_types: ["float"], output_dimension: 24 },
      { texts: ["a dog"], input_type: "search_query" },
    ],
  ])("%s gets its own request format", async (vendor, path, document, query) => {
    const provider = await open({ vendor, model: "m" });
    await provider.embedDocuments(["a cat"]);
    await provider.embedQuery("a dog");
    expect(server.asked).toMatchObject([
      { path, headers: { authorization: "Bearer sk-secret" }, body: { model: "m", ...document } },
      { path, body: query },
    ]);
  });

  test("gemini gets its own request format", async () => {
    const provider = await open({ vendor: "gemini", model: "gemini-embedding-001", dimensions: undefined });
    await provider.embedDocuments(["a cat"]);
    await provider.embedQuery("a dog");
    const request = (text: string, taskType: string) => ({
      requests: [
        {
          model: "models/gemini-embedding-001",
          content: { parts: [{ text }] },
          taskType,
          outputDimensionality: 768,
        },
      ],
    });
    expect(server.asked).toMatchObject([
      {
        path: "/v1beta/models/gemini-embedding-001:batchEmbedContents",
        headers: { "x-goog-api-key": "sk-secret" },
        body: request("a cat", "RETRIEVAL_DOCUMENT"),
      },
      { body: request("a dog", "RETRIEVAL_QUERY") },
    ]);
    expect(provider.model.dimensions).toBe(768);
  });

  test("carry no credentials without a key", async () => {
    await (await open({ apiKey: undefined })).embedQuery("a cat");
    expect(server.asked[0]?.headers).not.toHaveProperty("authorization");
  });

  test("ask for dimensions only if the user set them", async () => {
    server.misbehave(vectors(1536));
    const provider = await open({ dimensions: undefined });
    await provider.embedQuery("a cat");
    expect(server.asked[0]?.body).not.toHaveProperty("dimensions");
    expect(provider.model).toMatchObject({ dimensions: 1536 });
  });
});

describe("texts", () => {
  test("are sent in batches of the set size and keep their order", async () => {
    const provider = await open({ batchSize: 2 });
    const texts = ["cat", "dog", "queue", "retry", "login"];
    const made = await provider.embedDocuments(texts);
    expect(server.asked.map(({ body }) => body.input)).toEqual([
      ["cat", "dog"],
      ["queue", "retry"],
      ["login"],
    ]);
    for (const [index, text] of texts.entries()) {
      const alone = await provider.embedQuery(text);
      expect(made[index]?.map((vector) => [...vector])).toEqual([[...(alone ?? [])]]);
    }
  });

  test("of queries are sent without their secrets", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    await (await open()).embedQuery(`why does ${secret} not work`);
    expect(JSON.stringify(server.asked[0]?.body)).toContain("why does");
    expect(JSON.stringify(server.asked[0]?.body)).not.toContain(secret);
  });

  test("are not sent if they are empty", async () => {
    const provider = await open();
    expect(await provider.embedDocuments(["", " \n"])).toEqual([[], []]);
    expect(await provider.embedQuery(" ")).toBeUndefined();
    expect(server.asked).toEqual([]);
  });
});

describe("an unknown model", () => {
  test("is asked for one vector first to learn its dimensions", async () => {
    const provider = await open({ model: "my-own", dimensions: undefined });
    expect(provider.model).toMatchObject({ name: "my-own", dimensions: serverDimensions });
    expect(server.asked).toHaveLength(1);
  });
});

describe("a server that misbehaves", () => {
  test.each<[string, number]>([
    ["no numbers", 0],
    ["more numbers than any model makes", 16_385],
  ])("and first sends a vector of %s is asked again the next time", async (_name, length) => {
    server.misbehave(vectors(length));
    const unknown = { model: "my-own", dimensions: undefined };
    await expect(open(unknown)).rejects.toMatchObject({
      code: "provider_failed",
      message: expect.stringContaining(`a vector of ${length} numbers`),
    });
    expect((await open(unknown)).model).toMatchObject({ dimensions: serverDimensions });
  });

  test.each<[string, number]>([
    ["zeros", 0],
    ["numbers whose length overflows", 1e300],
  ])("and answers with %s refuses the text", async (_name, number) => {
    const embedding = new Array<number>(serverDimensions).fill(number);
    server.misbehave((response) => answer(response, { data: [{ index: 0, embedding }] }));
    await expect((await open()).embedDocuments(["a cat"])).rejects.toMatchObject({
      code: "provider_failed",
      extra: { refused: true },
    });
  });

  test("and answers with two vectors for one text fails", async () => {
    server.misbehave(indexed(0, 0, 2));
    await expect((await open()).embedDocuments(["a cat", "a dog", "a login"])).rejects.toMatchObject({
      code: "provider_failed",
    });
  });

  test.each<[string, (number | undefined)[]]>([
    ["none", [undefined, undefined]],
    ["the same number", [0, 0]],
  ])("and sends %s for an index is read in the order of the texts", async (_name, indexes) => {
    server.misbehave(indexed(...indexes));
    const [cat, dog] = await (await open()).embedDocuments(["a cat", "a dog"]);
    expect(cat).not.toEqual(dog);
    const [alone] = await (await open()).embedDocuments(["a dog"]);
    expect(dog).toEqual(alone);
  });

  test.each<[string, Misbehaviour[], number[]]>([
    ["says 429 with a pause in seconds", [status(429, { "retry-after": "7" })], [7_000]],
    ["says 500 twice", [status(500), status(503)], [1_000, 2_000]],
    ["cuts the connection", [(response) => response.destroy()], [1_000]],
  ])("and %s is asked again after a pause", async (_name, misbehaviours, waited) => {
    server.misbehave(...misbehaviours);
    expect(await (await open()).embedQuery("a cat")).toHaveLength(serverDimensions);
    expect(pauses).toEqual(waited);
  });

  test("that keeps failing is given up after three tries", async () => {
    server.misbehave(status(500), status(500), status(502));
    await expect((await open()).embedQuery("a cat")).rejects.toMatchObject({
      code: "provider_failed",
      message: "openai answered with HTTP 502",
    });
    expect(server.asked).toHaveLength(3);
  });

  test("that is unreachable is reported with the setting to look at, never with its address", async () => {
    const gone = open({ baseUrl: "http://me:hunter2@127.0.0.1:1" }).then((made) => made.embedQuery("a cat"));
    await expect(gone).rejects.toMatchObject({
      message: "openai could not be reached",
      hint: "look at MEMSVC_EMBEDDING_BASE_URL",
    });
    const other = await openEmbeddingServer();
    await other.close();
    const closed = open({ baseUrl: other.url }).then((made) => made.embedQuery("a cat"));
    await expect(closed).rejects.toMatchObject({ message: "openai could not be reached (ECONNREFUSED)" });
  });

  test("that asks for a long pause is not waited for", async () => {
    server.misbehave(status(429, { "retry-after": "3600" }));
    await expect((await open()).embedQuery("a cat")).rejects.toMatchObject({
      code: "provider_failed",
      extra: { retryAfterMs: 3_600_000 },
    });
    expect(pauses).toEqual([]);
  });

  test("that has too many requests, but names no time, is left alone for a minute", async () => {
    server.misbehave(status(429), status(429), status(429));
    await expect((await open()).embedQuery("a cat")).rejects.toMatchObject({
      extra: { retryAfterMs: 60_000 },
    });
  });

  test("that does not answer in time has failed", async () => {
    const never: Misbehaviour = () => undefined;
    server.misbehave(never, never, never);
    await expect((await open({ timeoutMs: 30 })).embedQuery("a cat")).rejects.toMatchObject({
      code: "provider_failed",
      message: "openai did not answer within 30 ms",
    });
  });

  test("that sends too slowly is given up at its timeout, even while garbage is collected", async () => {
    const trickle: Misbehaviour = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    };
    server.misbehave(trickle, trickle, trickle);
    const provider = await open({ timeoutMs: 300 });
    await expect(whileCollecting(() => provider.embedQuery("a cat"))).rejects.toMatchObject({
      message: "openai did not answer within 300 ms",
    });
  });

  test("is not waited for after an abort", async () => {
    server.misbehave(() => undefined);
    const provider = await open();
    const signal = AbortSignal.timeout(30);
    await expect(provider.embedQuery("a cat", signal)).rejects.toMatchObject({ name: "TimeoutError" });
    expect(pauses).toEqual([]);
  });

  test.each<[string, Misbehaviour, string]>([
    ["too few vectors", vectors(serverDimensions, 1), "1 vectors for 2 texts"],
    ["something that is not JSON", (response) => answer(response, "<html>"), "not JSON"],
    ["JSON of another shape", (response) => answer(response, { ok: true }), "without any vectors"],
    [
      "strings in place of numbers",
      (response) => answer(response, { data: [{ index: 0, embedding: ["1"] }] }),
      "without any vectors",
    ],
    ["a vector of one text, and one of none", indexed(0, undefined), "without any vectors"],
  ])("and answers with %s fails with a reason", async (_name, misbehaviour, reason) => {
    server.misbehave(misbehaviour);
    const made = (await open()).embedDocuments(["a cat", "a dog"]);
    await expect(made).rejects.toMatchObject({
      code: "provider_failed",
      message: expect.stringContaining(reason),
    });
  });

  test("and answers with other dimensions is unavailable, with a hint", async () => {
    server.misbehave(vectors(8));
    await expect((await open()).embedQuery("a cat")).rejects.toMatchObject({
      code: "unavailable",
      hint: expect.stringContaining("MEMSVC_EMBEDDING_DIMENSIONS=8"),
    });
  });

  test.each([401, 403])("and rejects the key (%d) is not asked again", async (code) => {
    server.misbehave(status(code));
    const refusal = await (await open()).embedQuery("a cat").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "unavailable" });
    expect(JSON.stringify(refusal)).not.toContain("sk-secret");
    expect(server.asked).toHaveLength(1);
  });

  test("and refuses a text (413) is told apart from one that lacks the route (404)", async () => {
    server.misbehave(status(413), status(404));
    const provider = await open();
    await expect(provider.embedQuery("a cat")).rejects.toMatchObject({ extra: { refused: true } });
    await expect(provider.embedQuery("a cat")).rejects.toMatchObject({ extra: { refused: false } });
  });

  test("and refuses a long question (413) gets its beginning", async () => {
    server.misbehave(status(413));
    const question = "为什么迁移失败".repeat(150);
    expect(await (await open()).embedQuery(question)).toHaveLength(serverDimensions);
    expect(server.asked[1]?.body.input).toEqual([question.slice(0, 400)]);
  });

  test.each([
    "input (1007 tokens) is too large to process. increase the physical batch size (current batch size: 512)",
    "input is too large to process. increase the physical batch size",
    "the input length exceeds the context length",
  ])("and answers a long question with HTTP 500 and %j gets its beginning at once", async (message) => {
    server.misbehave((response) => {
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { code: 500, message, type: "server_error" } }));
    });
    const question = "why does the migration fail ".repeat(40);
    expect(await (await open()).embedQuery(question)).toHaveLength(serverDimensions);
    expect(server.asked[1]?.body.input).toEqual([question.slice(0, 400)]);
    expect(pauses).toEqual([]);
  });

  test("and redirects sends no texts and no key to the other address", async () => {
    const other = await openEmbeddingServer();
    try {
      const away = status(307, { location: `${other.url}/embeddings` });
      server.misbehave(away, away, away);
      await expect((await open()).embedQuery("a cat")).rejects.toMatchObject({ code: "provider_failed" });
      expect(other.asked).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

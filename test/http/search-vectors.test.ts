import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DocumentEmbedder } from "../../src/embedding/document-embedder.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { searchSteps } from "../support/search-steps.ts";
import { writeTinyStaticModel } from "../support/tiny-model.ts";

let http: TestHttp;
beforeEach(async () => {
  http = await openTestHttp();
});
afterEach(() => http.close());

const { remembered } = searchSteps(() => http);

describe("with an embedding model", () => {
  const open = async (settings: Readonly<Record<string, string>> = {}) => {
    await http.close();
    const env = { MEMSVC_EMBEDDING_PROVIDER: "static", MEMSVC_EMBEDDING_MODEL: "tiny", ...settings };
    http = await openTestHttp({ env });
    writeTinyStaticModel(join(http.home, "models", "tiny"));
  };
  beforeEach(() => open());

  test("a search also uses vectors, and names the streams that took part", async () => {
    const id = await remembered("deploy the staging database");
    await DocumentEmbedder.runOnce(http.core.ground, http.core.embeddings);
    const { results, streams } = await http.ok(smartSearch, { query: "staging database", explain: true });
    expect(streams).toEqual(["keyword", "vector"]);
    expect(results[0]?.obsId).toBe(id);
    expect(results[0]?.explanation?.streams).toMatchObject({ keyword: { rank: 1 }, vector: { rank: 1 } });
  });

  test("vectors find a text without common words, within the requested project", async () => {
    // The tiny model knows letters; for the keyword search these are two different words.
    const here = await remembered("qqqq", { project: "shop" });
    await remembered("qqqq and more", { project: "other" });
    await DocumentEmbedder.runOnce(http.core.ground, http.core.embeddings);
    const { results } = await http.ok(smartSearch, { query: "qqq", project: "shop", explain: true });
    expect(results.map(({ explanation }) => Object.keys(explanation?.streams ?? {}))).toEqual([["vector"]]);
    expect(results.map(({ obsId }) => obsId)).toEqual([here]);
  });

  test("a time alone is compared as a text where words are not searched", async () => {
    await open({ MEMSVC_BM25_WEIGHT: "0" });
    const id = await remembered("yesterday's log");
    await DocumentEmbedder.runOnce(http.core.ground, http.core.embeddings);
    const { results, streams } = await http.ok(smartSearch, { query: "yesterday" });
    expect(streams).toEqual(["vector"]);
    expect(results.map(({ obsId }) => obsId)).toEqual([id]);
  });

  test("a search uses only words until there are vectors", async () => {
    await remembered("deploy the staging database");
    expect((await http.ok(smartSearch, { query: "staging" })).streams).toEqual(["keyword"]);
  });
});

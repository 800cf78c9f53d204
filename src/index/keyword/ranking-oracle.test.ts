import { beforeAll, describe, expect, test } from "vitest";
import createSearch from "wink-bm25-text-search";
import { makeCorpus, makeQueries, type QueryClass } from "../../../bench/corpus.ts";
import { forAllTests } from "../../../test/support/for-each-test.ts";
import { indexTokens } from "../../text/tokens.ts";
import { type DocumentInput, putDocument } from "../documents/documents.ts";
import { openTestIndex } from "../index-fixture.ts";
import { fieldWeights } from "./bm25f.ts";
import { keywordSearch } from "./keyword.ts";
import { rankSet } from "./ranked-set.ts";

/*
 * Compares our ranking with that of wink-bm25-text-search, with the same tokens and weights. Two things may differ: the
 * average length, which FTS5 computes over everything ever written, and the order of equal scores.
 */
const corpus = makeCorpus({ documents: 400, vocabulary: 3_000 });
const documents = [...corpus.documents()];
const index = forAllTests(openTestIndex);

beforeAll(async () => {
  for (const document of documents) await putDocument(index.sql, document);
});

describe.each<QueryClass>(["rare", "mixed", "frequent"])("for queries of %s words", (kind) => {
  const queries = makeQueries(corpus.vocabulary, kind, 20);

  test("at least 95 percent of the first ten hits are the oracle's", async () => {
    const oracle = openOracle(documents);
    let shared = 0;
    let expected = 0;
    for (const query of queries) {
      const ours = new Set(
        (await keywordSearch(index.sql, { query, scope: { now: 0 }, limit: 10 }, { plain: true })).map(
          (hit) => hit.ref,
        ),
      );
      const theirs = oracle.search(query, 10).map(([at]) => documents[Number(at)]?.ref ?? "");
      expected += theirs.length;
      shared += theirs.filter((ref) => ours.has(ref)).length;
    }
    expect(expected).toBeGreaterThan(50);
    expect(shared / expected).toBeGreaterThanOrEqual(0.95);
  });

  test("ranking the set in memory gives the first ten hits the same scores", async () => {
    const items = documents.map((document) => ({ ...document, id: document.ref }));
    for (const query of queries.slice(0, 5)) {
      const hits = await keywordSearch(index.sql, { query, scope: { now: 0 }, limit: 10 }, { plain: true });
      const scores = new Map(rankSet(items, query, 50).map(({ id, score }) => [id, score]));
      for (const hit of hits) expect(hit.score).toBeCloseTo(scores.get(hit.ref) ?? 0, 4);
    }
  });
});

function openOracle(collection: readonly DocumentInput[]) {
  const search = createSearch();
  search.defineConfig({ fldWeights: { ...fieldWeights } });
  search.definePrepTasks([indexTokens]);
  collection.forEach(({ title, concepts, files, body }, at) => {
    search.addDoc({ title, concepts: concepts.join("\n"), files: files.join("\n"), body }, at);
  });
  search.consolidate(9);
  return search;
}

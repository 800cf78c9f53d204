import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeDocuments } from "./documents.ts";
import { openTestIndex, type TestIndex } from "./index-fixture.ts";
import { threadedKeywordIndex, threadedVectorIndex, vectorCacheName } from "./threaded-index.ts";
import { makeVectors, putVectors, seededRandom } from "./vector-fixture.ts";

const threadFile = join(process.cwd(), "dist", "search-thread.cjs");

let index: TestIndex;
beforeEach(() => {
  index = openTestIndex();
});
afterEach(() => index.close());

const [east, north] = [Float32Array.of(1, 0), Float32Array.of(0, 1)];

async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
}

test("both streams search on threads of their own and see what this one writes", async () => {
  await putVectors(index, "m1", [{ ref: "a", chunks: [east], body: "apple" }]);
  const keywords = threadedKeywordIndex(threadFile, index.path);
  const vectors = threadedVectorIndex(threadFile, index.path, true);
  const refs = async () =>
    (await eventually(() => vectors.search(east, "m1", { now: 0 }, 10, 0.25))).map(({ ref }) => ref);
  expect(await refs()).toEqual(["a"]);
  await putVectors(index, "m1", [{ ref: "b", chunks: [north, east], body: "banana" }]);
  expect(await refs()).toEqual(["b", "a"]);
  expect((await keywords.search("banana", { now: 0 }, 10)).map(({ ref }) => ref)).toEqual(["b"]);
  await removeDocuments(index.sql, "observation", ["a"]);
  expect(await refs()).toEqual(["b"]);
  await Promise.all([keywords.close(), vectors.close()]);
});

test("a thread that is closed leaves its cache file, and one that was never asked is none", async () => {
  await putVectors(
    index,
    "m1",
    makeVectors(2_800, 1_536, seededRandom(5)).map((vector, at) => ({ ref: `d${at}`, chunks: [vector] })),
  );
  const idle = threadedVectorIndex(threadFile, index.path, false);
  await idle.close();
  const vectors = threadedVectorIndex(threadFile, index.path, true);
  const query = new Float32Array(1_536).fill(1);
  expect(await eventually(() => vectors.search(query, "m1", { now: 0 }, 10, -1))).toHaveLength(10);
  await vectors.close();
  expect(existsSync(join(dirname(index.path), vectorCacheName))).toBe(true);
});

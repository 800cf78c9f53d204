import { expect, test, vi } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import type { SearchIndexes } from "../../index/search-streams.ts";
import { searchInsights } from "../../knowledge/insights/operations.ts";
import { searchLessons } from "../../knowledge/lessons/operations.ts";
import { timeline } from "../timeline/operations.ts";
import { smartSearch } from "./operations.ts";

/** Streams like those of a thread that hangs in its search for words. */
const hanging: SearchIndexes = {
  keyword: () => new Promise(() => undefined),
  vector: async () => [],
  graph: async () => [],
  passages: async () => new Map(),
  reopen: async () => undefined,
  close: async () => undefined,
};

test("words that are not searched in time are reported, and nobody waits for them for ever", async () => {
  const store = await openTestCore({ searchIndexes: () => hanging });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const afterSeconds = async <T>(work: Promise<T>): Promise<T | { readonly code?: string }> => {
    const outcome = work.catch((error: { readonly code?: string }) => error);
    let isOver = false;
    void outcome.then(() => {
      isOver = true;
    });
    for (let second = 0; second < 20 && !isOver; second += 1) {
      store.advance(1_000);
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise(setImmediate);
    }
    vi.useRealTimers();
    expect(isOver).toBe(true);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    return outcome;
  };
  const query = "heron";
  const late = {
    code: "unavailable",
    message: "the words could not be searched in time",
    hint: "search again",
  };
  expect(await afterSeconds(store.call(timeline, { anchor: query }))).toMatchObject(late);
  expect(await afterSeconds(store.call(searchLessons, { query }))).toMatchObject(late);
  expect(await afterSeconds(store.call(searchInsights, { query }))).toMatchObject(late);
  const withLessons = await afterSeconds(store.call(smartSearch, { query, includeLessons: true }));
  expect(withLessons).toMatchObject({ results: [], leftOut: ["keyword", "lessons"] });
  const lessonsAlone = await afterSeconds(store.call(smartSearch, { query, kinds: ["lesson"] }));
  expect(lessonsAlone).toMatchObject({ results: [], leftOut: ["lessons"] });
  vi.useRealTimers();
  await store.close();
});

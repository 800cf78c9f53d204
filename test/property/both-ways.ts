import { expect } from "vitest";
import { searchGraph } from "../../src/graph/stream/search-graph.ts";
import { keywordSearch } from "../../src/index/keyword/keyword.ts";
import { passageLength } from "../../src/index/passages/passage.ts";
import { readPassages } from "../../src/index/passages/read-passages.ts";
import { ResidentWords } from "../../src/index/postings/resident-words.ts";
import type { SearchIndexes } from "../../src/index/search-streams.ts";
import { scanVectors } from "../../src/index/vectors/vector-scan.ts";
import { LocalDriver } from "../../src/store/local-driver.ts";

/**
 * Runs each search in both ways and expects the same hits: as a daemon does, with words in memory that follow the
 * database over a connection of their own, and as a command does, in the database.
 */
export function bothWays(path: string): SearchIndexes {
  let driver = new LocalDriver({ path, durability: "relaxed", readerCacheKib: 1_000 });
  let words = new ResidentWords(driver.reader);
  const close = async () => {
    await words.close();
    driver.close();
  };
  return {
    keyword: async (question) => {
      if ((await words.current()) === undefined) await words.follow();
      const held = await words.current();
      const stored = await keywordSearch(driver.reader, question);
      const inMemory = await keywordSearch(driver.reader, question, { index: held });
      expect(refsOf(inMemory), `${question.query} in memory`).toEqual(refsOf(stored));
      return inMemory;
    },
    vector: (question) => scanVectors(driver.reader, question),
    graph: (question) => searchGraph(driver.reader, question),
    passages: async (question) => {
      const stored = await readPassages(driver.reader, question);
      const inMemory = await readPassages(driver.reader, question, await words.current());
      // The best passage depends on how rare its words are, in which the two ways may differ: see refsOf.
      for (const passage of [...stored.values(), ...inMemory.values()])
        expect(Array.from(passage).length, passage).toBeLessThanOrEqual(passageLength);
      return inMemory;
    },
    reopen: async () => {
      await close();
      driver = new LocalDriver({ path, durability: "relaxed", readerCacheKib: 1_000 });
      words = new ResidentWords(driver.reader);
    },
    close,
  };
}

/** Without their order: in memory, deleted documents still count towards how rare a word is. */
function refsOf(hits: readonly { readonly ref: string }[]): string[] {
  return hits.map(({ ref }) => ref).sort();
}

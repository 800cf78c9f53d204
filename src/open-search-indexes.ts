import type { CoreOptions } from "./core.ts";
import { searchGraph } from "./graph/stream/search-graph.ts";
import { fewRowsSettled, graphSettled } from "./graph/structural/settled.ts";
import type { Ground } from "./ground.ts";
import { keywordSearch } from "./index/keyword/keyword.ts";
import { readPassages } from "./index/passages/read-passages.ts";
import type { SearchIndexes } from "./index/search-streams.ts";
import { scanVectors } from "./index/vectors/vector-scan.ts";

/** The searches in a store: those that the option runs in a database file, else on the caller's thread. */
export function openSearchIndexes(
  ground: Ground,
  searchIndexes: CoreOptions["searchIndexes"],
): SearchIndexes {
  const { store } = ground;
  const { sql } = store.read;
  if (searchIndexes !== undefined && store.isFile) {
    const indexes = searchIndexes(store.path, (error) => store.damage.note(error));
    return {
      ...indexes,
      graph: async (question) => {
        await fewRowsSettled(ground);
        return indexes.graph(question);
      },
    };
  }
  return {
    keyword: (question) => keywordSearch(sql, question),
    vector: (question) => scanVectors(sql, question),
    graph: async (question) => {
      await graphSettled(ground);
      return searchGraph(sql, question);
    },
    passages: (question) => readPassages(sql, question),
    // Nothing to do: the connection switches to the new database by itself.
    reopen: async () => undefined,
    close: async () => undefined,
  };
}

import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeywordIndex } from "./keyword-index.ts";
import { ThreadClient } from "./thread-client.ts";
import type { VectorIndex } from "./vector-index.ts";

/** Beside the database: what the vectors' thread keeps so that it is ready sooner after the next start. */
export const vectorCacheName = "vectors.cache";

/** Keyword searches on a thread that is started at once. */
export function threadedKeywordIndex(threadFile: string, databasePath: string): KeywordIndex {
  const client = new ThreadClient(threadFile, { role: "keywords", path: databasePath, cacheKib: 32_000 });
  client.warm();
  return {
    search: async (query, scope, limit) => (await client.searchKeywords({ query, scope, limit })) ?? [],
    reopen: async () => {
      await client.close();
      client.warm();
    },
    close: () => client.close(),
  };
}

/** Vector searches on another one; `atOnce` when there are vectors to load, else at the first search. */
export function threadedVectorIndex(threadFile: string, databasePath: string, atOnce: boolean): VectorIndex {
  const cachePath = join(dirname(databasePath), vectorCacheName);
  const client = new ThreadClient(threadFile, {
    role: "vectors",
    path: databasePath,
    cacheKib: 4_000,
    cachePath,
  });
  if (atOnce) client.warm();
  return {
    search: (vector, fingerprint, scope, limit, minSimilarity) =>
      client.searchVectors({ vector, fingerprint, scope, limit, minSimilarity }),
    reopen: async () => {
      await client.close();
      // What the thread kept for its next start is about the other database.
      rmSync(cachePath, { force: true });
      client.warm();
    },
    close: () => client.close(),
  };
}

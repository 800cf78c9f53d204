import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { KeywordIndex } from "../../index/keyword/keyword-index.ts";
import type { VectorIndex } from "../../index/vectors/vector-index.ts";
import type { GraphWalk } from "../search/streams.ts";
import { ThreadClient, type ThreadDuty } from "./thread-client.ts";

/** Name of a file beside the database in which the thread for vectors caches them, to load faster at the next start. */
export const vectorCacheName = "vectors.cache";

/** The streams of a search, which run on threads of their own. */
interface ThreadedStreams {
  readonly keywords: KeywordIndex;
  readonly vectors: VectorIndex;
  readonly graph: GraphWalk;
}

/**
 * Runs the streams of a search in parallel on two threads: one for keywords, and one for vectors, which the first helps
 * with its scans. The graph goes to the thread with fewer pending questions. Both are started right away, because
 * starting one may take longer than a search waits for its graph. `failed` is called for every search that fails.
 */
export function threadedStreams(
  threadFile: string,
  databasePath: string,
  failed: (error: Error) => void = () => undefined,
): ThreadedStreams {
  const cachePath = join(dirname(databasePath), vectorCacheName);
  const scanChannel = `memsvc-scans-${randomUUID()}`;
  const threadFor = (duty: ThreadDuty) => new ThreadClient(threadFile, { path: databasePath, duty }, failed);
  const words = threadFor({ kind: "words", scanChannel });
  const others = threadFor({ kind: "vectors", scanChannel, cachePath });
  words.warm();
  others.warm();
  return {
    keywords: {
      search: async (query, scope, limit) =>
        (await words.ask({ kind: "keyword", query, scope, limit })) ?? [],
      passages: (query, ids) => words.ask({ kind: "passages", query, ids }),
      reopen: () => words.restart(),
      close: () => words.close(),
    },
    vectors: {
      search: (vector, fingerprint, scope, limit, minSimilarity) =>
        others.ask({ kind: "vector", query: { vector, fingerprint, scope, limit, minSimilarity } }),
      // The cache file belongs to the old database.
      reopen: () => others.restart(() => rmSync(cachePath, { force: true })),
      close: () => others.close(),
    },
    graph: {
      searchStream: async (query, scope, limit) => {
        // Waits a turn: a fast model has made its vector by then, and its question counts among the pending ones.
        await nextTurn();
        const thread = others.pending < words.pending ? others : words;
        return (await thread.ask({ kind: "graph", query, scope, limit })) ?? [];
      },
    },
  };
}

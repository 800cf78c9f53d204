import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { KeywordIndex } from "../../index/keyword/keyword-index.ts";
import type { VectorIndex } from "../../index/vectors/vector-index.ts";
import type { GraphWalk } from "../search/streams.ts";
import { ThreadClient, type ThreadDuty } from "./thread-client.ts";

/** Beside the database: what the vectors' thread keeps so that it is ready sooner after the next start. */
export const vectorCacheName = "vectors.cache";

/** The streams of a search, each on a thread beside the caller's. */
interface ThreadedStreams {
  readonly keywords: KeywordIndex;
  readonly vectors: VectorIndex;
  readonly graph: GraphWalk;
}

/**
 * Two threads, so that the streams of a search go on at the same time: one for keywords, one for vectors, which is helped
 * with its scan by the other. The graph is whichever's that has less to do. Both are started at once, because a search
 * waits for its graph no longer than a start may take. `failed` is told of every search that fails.
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
      // What the thread kept for its next start is about the other database.
      reopen: () => others.restart(() => rmSync(cachePath, { force: true })),
      close: () => others.close(),
    },
    graph: {
      searchStream: async (query, scope, limit) => {
        // Where a model makes the vector at once, the question for its like is asked within this turn.
        await nextTurn();
        const thread = others.pending < words.pending ? others : words;
        return (await thread.ask({ kind: "graph", query, scope, limit })) ?? [];
      },
    },
  };
}

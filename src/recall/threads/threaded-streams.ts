import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SearchIndexes } from "../../index/search-streams.ts";
import { ThreadClient, type ThreadDuty } from "./thread-client.ts";

/** Name of a file beside the database in which the thread for vectors caches them, to load faster at the next start. */
export const vectorCacheName = "vectors.cache";

/**
 * Runs the streams of a search in parallel on two threads: one for keywords, and one for vectors, which the first helps
 * with its scans. The graph goes to the thread with fewer pending questions. Both are started right away, because
 * starting one may take longer than a search waits for its graph. `failed` is called for every search that fails.
 */
export function threadedStreams(
  threadFile: string,
  databasePath: string,
  failed: (error: Error) => void = () => undefined,
): SearchIndexes {
  const cachePath = join(dirname(databasePath), vectorCacheName);
  const scanChannel = `memsvc-scans-${randomUUID()}`;
  const threadFor = (duty: ThreadDuty) => new ThreadClient(threadFile, { path: databasePath, duty }, failed);
  const words = threadFor({ kind: "words", scanChannel });
  const others = threadFor({ kind: "vectors", scanChannel, cachePath });
  return {
    keyword: (question) => words.ask({ stream: "keyword", question }),
    vector: (question) => others.ask({ stream: "vector", question }),
    graph: async (question) => {
      // Waits a turn: a fast model has made its vector by then, and its question counts among the pending ones.
      await nextTurn();
      const thread = others.pending < words.pending ? others : words;
      return thread.ask({ stream: "graph", question });
    },
    passages: (question) => words.ask({ stream: "passages", question }),
    reopen: async () => {
      // The cache file belongs to the old database.
      const withoutCache = () => rmSync(cachePath, { force: true });
      await Promise.all([words.restart(), others.restart(withoutCache)]);
    },
    close: async () => {
      await Promise.all([words.close(), others.close()]);
    },
  };
}

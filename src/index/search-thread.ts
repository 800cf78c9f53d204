import { parentPort, workerData } from "node:worker_threads";
import { LocalDriver } from "../store/local-driver.ts";
import { keywordSearch } from "./keyword.ts";
import { ResidentVectors } from "./matrix/resident.ts";
import type { SearchReply, SearchTask, ThreadData } from "./thread-client.ts";

/*
 * The other end of thread-client.ts: a thread with its own connection. A statement of libSQL blocks the thread
 * that runs it, and here it blocks nobody who writes. The daemon runs two: one for keywords, one for vectors, so
 * that both streams of a search go on at the same time.
 *
 * It is the keywords' thread that moves the write-ahead log into the database; passively, that is beside the
 * writers and the readers. The vectors' thread follows the log of changes meanwhile.
 */

const everyMs = 500;

const port = parentPort;
if (port === null) throw new Error("the search thread must be started as a worker");
const data = workerData as ThreadData;
const driver = new LocalDriver({ path: data.path, durability: "relaxed", cacheKib: data.cacheKib });
const vectors =
  data.role === "vectors" ? new ResidentVectors(driver.reader, { cachePath: data.cachePath }) : undefined;

/** A connection that failed is replaced: whatever was wrong with it must not outlive it. */
const replaceConnection = () => driver.reconnect();

vectors?.warm().catch(replaceConnection);

const work = async (): Promise<void> => {
  if (vectors === undefined) await driver.reader.all("PRAGMA wal_checkpoint(PASSIVE)");
  else await vectors.follow();
};
const timer = setInterval(() => void work().catch(replaceConnection), everyMs);

const search = async (task: Exclude<SearchTask, { kind: "close" }>) =>
  task.kind === "keyword"
    ? keywordSearch(driver.reader, task.query, task.scope, task.limit)
    : vectors?.search(task.query);

const close = async (): Promise<void> => {
  clearInterval(timer);
  try {
    await vectors?.close();
  } finally {
    // The database is closed first: a process that exits while a statement runs is aborted.
    driver.close();
    port.close();
  }
};

port.on("message", (task: SearchTask) => {
  if (task.kind === "close") {
    void close();
    return;
  }
  search(task).then(
    (hits) => port.postMessage({ id: task.id, hits } satisfies SearchReply),
    (error: unknown) => {
      replaceConnection();
      port.postMessage({ id: task.id, error: String(error) } satisfies SearchReply);
    },
  );
});

import { parentPort, workerData } from "node:worker_threads";
import { LocalDriver } from "../store/local-driver.ts";
import { keywordSearch } from "./keyword.ts";
import type { SearchReply, SearchTask } from "./threaded-index.ts";

/*
 * The other end of threaded-index.ts: a thread with its own connection. A statement of libSQL blocks the thread
 * that runs it, and here it blocks nobody who writes. For the same reason it is this thread that moves the
 * write-ahead log into the database; passively, that is beside the writers and the readers.
 */

const checkpointEveryMs = 500;

const port = parentPort;
if (port === null) throw new Error("the search thread must be started as a worker");
const { path } = workerData as { path: string };
const driver = new LocalDriver({ path, durability: "relaxed", cacheKib: 32_000 });

const checkpoints = setInterval(() => {
  driver.reader.all("PRAGMA wal_checkpoint(PASSIVE)").catch(() => driver.reconnect());
}, checkpointEveryMs);

port.on("message", (task: SearchTask) => {
  if (task.kind === "close") {
    clearInterval(checkpoints);
    // The database is closed first: a process that exits while a statement runs is aborted.
    driver.close();
    port.close();
    return;
  }
  keywordSearch(driver.reader, task.query, task.scope, task.limit).then(
    (hits) => port.postMessage({ id: task.id, hits } satisfies SearchReply),
    (error: unknown) => {
      driver.reconnect();
      port.postMessage({ id: task.id, error: String(error) } satisfies SearchReply);
    },
  );
});

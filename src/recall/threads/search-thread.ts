import { parentPort, workerData } from "node:worker_threads";
import { searchGraph } from "../../graph/stream/search-graph.ts";
import { keywordSearch } from "../../index/keyword/keyword.ts";
import { ResidentVectors } from "../../index/matrix/resident.ts";
import { helpWithScans, ScanHelp } from "../../index/matrix/scan-help.ts";
import { readPassages } from "../../index/passages/read-passages.ts";
import { ResidentWords } from "../../index/postings/resident-words.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { sentError } from "../../operation/sent-error.ts";
import { sqliteCode } from "../../store/faults.ts";
import { LocalDriver } from "../../store/local-driver.ts";
import type { SearchReply, SearchTask, StreamRequest, ThreadData } from "./thread-client.ts";

/*
 * The other end of thread-client.ts: a thread with its own connection. A libSQL statement blocks its thread; here it
 * blocks no writes.
 *
 * One thread holds the words; the other holds the vectors, and the first helps it with long scans. Both follow the logs
 * of changes.
 */

const everyMs = 500;
/**
 * Every write empties this page cache. A cache four times as large would save a search 3 of the 94 pages that it reads
 * for words, and a third of the 340 for the graph; these come from the system's own cache in microseconds.
 */
const readerCacheKib = 1_000;

const port = parentPort;
if (port === null) throw new Error("the search thread must be started as a worker");
const { path, duty } = workerData as ThreadData;
const driver = new LocalDriver({ path, durability: "relaxed", readerCacheKib });
const vectors =
  duty.kind === "vectors"
    ? new ResidentVectors(driver.reader, {
        cachePath: duty.cachePath,
        help: new ScanHelp(duty.scanChannel),
      })
    : undefined;
const words = duty.kind === "words" ? new ResidentWords(driver.reader) : undefined;
if (duty.kind === "words") helpWithScans(duty.scanChannel);

/** Replaces a connection that failed, so that its fault does not persist. */
const replaceConnection = () => {
  driver.reconnect();
  words?.reconnected();
  vectors?.reconnected();
};

vectors?.warm().catch(replaceConnection);

const work = async (): Promise<void> => {
  await words?.follow();
  await vectors?.follow();
};
const timer = setInterval(() => void work().catch(replaceConnection), everyMs);

const answer = async ({ stream, question }: StreamRequest) => {
  switch (stream) {
    case "keyword":
      // In memory, or in the database until the words are loaded.
      return keywordSearch(driver.reader, question, { index: await words?.current() });
    case "vector":
      return vectors?.search(question);
    case "graph":
      return searchGraph(driver.reader, question);
    case "passages":
      return readPassages(driver.reader, question, await words?.current());
  }
};

/** Questions that are being answered. */
const answering = new Set<Promise<void>>();

const close = async (): Promise<void> => {
  clearInterval(timer);
  await Promise.all(answering);
  try {
    await words?.close();
    await vectors?.close();
  } finally {
    // The database is closed first: a process that exits while a statement runs is aborted.
    driver.close();
    port.close();
  }
};

const told = (error: unknown) =>
  isMemsvcError(error)
    ? { fault: sentError(error) }
    : { error: String(error), driverCode: sqliteCode(error) };

port.on("message", (task: SearchTask) => {
  if (task.kind === "close") {
    void close();
    return;
  }
  const answered = answer(task.request).then(
    (found) => port.postMessage({ id: task.id, found } satisfies SearchReply),
    (error: unknown) => {
      replaceConnection();
      port.postMessage({ id: task.id, ...told(error) } satisfies SearchReply);
    },
  );
  answering.add(answered);
  void answered.finally(() => answering.delete(answered));
});

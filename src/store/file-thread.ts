import { parentPort, workerData } from "node:worker_threads";
import { sentError } from "../operation/sent-error.ts";
import { type FileTask, runFileTask } from "./file-work.ts";
import type { FileReply } from "./threaded-file-work.ts";

/* The worker's side of threaded-file-work.ts: one thread per task. */

const port = parentPort;
if (port === null) throw new Error("the file thread must be started as a worker");
runFileTask(workerData as FileTask).then(
  (result) => port.postMessage({ result } satisfies FileReply),
  (error: unknown) => port.postMessage({ failure: sentError(error) } satisfies FileReply),
);

import { receivedError, type SentError } from "../operation/sent-error.ts";
import { startThread } from "../system/start-thread.ts";
import type { RowCounts } from "./database-file.ts";
import type { FileTask, FileWork } from "./file-work.ts";

export type FileReply = { readonly result: RowCounts | undefined } | { readonly failure: SentError };

/** Runs each task on a thread of its own, so that a daemon can answer meanwhile. */
export function threadedFileWork(threadFile: string): FileWork {
  return {
    copy: async (from, to) => {
      await inThread(threadFile, { kind: "copy", from, to });
    },
    inspect: async (path, tables) => {
      const result = await inThread(threadFile, { kind: "inspect", path, tables });
      if (result === undefined) throw new Error("the file thread gave nothing");
      return result;
    },
  };
}

function inThread(threadFile: string, task: FileTask): Promise<RowCounts | undefined> {
  return new Promise((resolve, reject) => {
    const worker = startThread(threadFile, { workerData: task });
    worker.once("message", (reply: FileReply) => {
      if ("result" in reply) resolve(reply.result);
      else reject(receivedError(reply.failure));
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the file thread ended without a reply")));
  });
}

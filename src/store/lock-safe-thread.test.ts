import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Database from "libsql";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";

const hooks = new URL("../../test/native-sources/register.mjs", import.meta.url).href;
const module = new URL("lock-safe-read.ts", import.meta.url).href;

/** Reads a file in a thread, as search threads read the header of a database that replaced another one. */
function readInThread(path: string): Promise<unknown> {
  const source = `
    const { parentPort, workerData } = require("node:worker_threads");
    const read = async () => {
      await import(${JSON.stringify(hooks)});
      const { readKeepingLocks } = await import(${JSON.stringify(module)});
      parentPort.postMessage(readKeepingLocks(workerData, (file) => file > 0));
      parentPort.once("message", () => undefined);
    };
    void read();`;
  const thread = new Worker(source, { eval: true, workerData: path, trackUnmanagedFds: false });
  return new Promise((resolve, reject) => {
    thread.once("message", (isRead) => resolve([isRead, thread]));
    thread.once("error", reject);
  });
}

test.runIf(process.platform === "linux")(
  "a thread's reading leaves the locks of the process's connections",
  async () => {
    const path = join(temporaryFolder(), "store.db");
    const database = new Database(path);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE rows (id); SELECT * FROM rows");
    const inode = statSync(path).ino;
    const isLocked = () => readFileSync("/proc/locks", "utf8").includes(`:${inode} `);
    expect(isLocked()).toBe(true);
    const [isRead, thread] = (await readInThread(path)) as [boolean, Worker];
    expect(isRead).toBe(true);
    expect(isLocked()).toBe(true);
    await thread.terminate();
    expect(isLocked()).toBe(true);
    database.close();
  },
);

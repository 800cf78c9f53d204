import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { lockPath, releaseLock, takeLock } from "../config/lock-file.ts";
import { noteUnanswered, unansweredState } from "../config/unanswered.ts";
import { watchHome } from "./watch-home.ts";

let home: string;
let database: string;
let look: () => string | undefined;
beforeEach(() => {
  home = temporaryFolder();
  database = join(home, "memsvc.db");
  writeFileSync(database, "rows");
  takeLock(home, { pid: process.pid, port: 3111, host: "127.0.0.1" });
  look = watchHome({ home, database, follow: () => undefined });
});
afterEach(() => releaseLock(home, process.pid));

test("a database that is missing for a moment, while it is replaced, is not lost", () => {
  renameSync(database, `${database}.old`);
  expect(look()).toBeUndefined();
  renameSync(`${database}.old`, database);
  expect(look()).toBeUndefined();
  rmSync(database);
  expect([look(), look()]).toEqual([undefined, database]);
});

test("a missing lock is put back, and a note that the daemon gave no answer is removed", () => {
  const url = "http://127.0.0.1:3111/memsvc";
  rmSync(lockPath(home));
  noteUnanswered(home, url);
  expect(look()).toBeUndefined();
  expect(existsSync(lockPath(home))).toBe(true);
  expect(unansweredState(home, url)).toBe("unknown");
});

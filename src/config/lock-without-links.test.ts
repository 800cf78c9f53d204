import fs from "node:fs";
import { expect, test } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { lockPath, readLock, takeLock, updateLock } from "./lock-file.ts";

/** A file system without hard links, such as exFAT. */
replaceFunctions(fs, {
  linkSync: () => {
    throw Object.assign(new Error("EPERM"), { code: "EPERM" });
  },
});

const mine = { pid: process.pid, port: 0, host: "127.0.0.1" };
/** Above the largest process id that Linux and macOS give. */
const deadPid = 2 ** 22 + 1;

test("without hard links a home is locked once, readable by the owner alone", () => {
  const home = temporaryFolder();
  expect(takeLock(home, mine)).toEqual({ kind: "taken" });
  expect(takeLock(home, mine)).toEqual({ kind: "held", by: mine });
  expect((fs.statSync(lockPath(home)).mode & 0o777).toString(8)).toBe("600");
  expect(fs.readdirSync(home)).toEqual(["memsvc.lock"]);
});

test("without hard links the lock of a dead server is taken over, and no other file is left", () => {
  const home = temporaryFolder();
  updateLock(home, { ...mine, pid: deadPid });
  expect(takeLock(home, mine)).toEqual({ kind: "taken" });
  expect(readLock(home)).toEqual(mine);
  expect(fs.readdirSync(home)).toEqual(["memsvc.lock"]);
});

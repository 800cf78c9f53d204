import fs, { readdirSync, readFileSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { takeLock, updateLock } from "../config/lock-file.ts";
import { writeDurably } from "./durable-file.ts";

const files = { refusals: 0 };
function refuse(): void {
  if (files.refusals === 0) return;
  files.refusals -= 1;
  throw Object.assign(new Error("EPERM: operation not permitted, rename"), { code: "EPERM" });
}
const { renameSync } = fs;
replaceFunctions(fs, {
  renameSync: (from, to) => {
    refuse();
    renameSync(from, to);
  },
});
const { rename } = promises;
replaceFunctions(promises, {
  rename: async (from, to) => {
    refuse();
    await rename(from, to);
  },
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  files.refusals = 0;
  vi.unstubAllGlobals();
});

const onWindows = () =>
  vi.stubGlobal("process", Object.setPrototypeOf({ platform: "win32", pid: process.pid }, process));

test("on Windows replacing a file waits until its reader lets go of it", async () => {
  onWindows();
  const path = join(folder, ".env");
  writeFileSync(path, "A=1\n");
  files.refusals = 3;
  await writeDurably(path, "A=2\n");
  expect(readFileSync(path, "utf8")).toBe("A=2\n");
  const holder = { pid: process.pid, port: 0, host: "127.0.0.1" };
  takeLock(folder, holder);
  files.refusals = 3;
  updateLock(folder, { ...holder, port: 3111 });
  expect(readFileSync(join(folder, "memsvc.lock"), "utf8")).toContain(" 3111 ");
});

test("on Windows the lock that a crash left is replaced once its reader lets go of it", () => {
  onWindows();
  updateLock(folder, { pid: 4_194_305, port: 3111, host: "127.0.0.1" });
  files.refusals = 3;
  expect(takeLock(folder, { pid: process.pid, port: 0, host: "127.0.0.1" })).toEqual({ kind: "taken" });
});

test("on other systems a refused rename fails at once", async () => {
  files.refusals = 1;
  await expect(writeDurably(join(folder, ".env"), "A=1\n")).rejects.toMatchObject({ code: "EPERM" });
});

test("every source waits for the readers of what it renames, or says itself what it does instead", () => {
  const source = resolve(import.meta.dirname, "..");
  const renames = readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /(?<!\.test|-fixture)\.ts$/u.test(path))
    .filter((path) => /\brename(?:Sync)?\(/u.test(readFileSync(join(source, path), "utf8")));
  // A line of the log and a code cache may be missing; the store's replacement is finished later.
  const others = ["cli/startup/code-cache.ts", "http/log-file.ts", "store/replacement.ts"];
  expect(renames.sort()).toEqual([...others, "paths/rename-over.ts"].sort());
});

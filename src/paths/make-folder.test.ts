import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { makeFolder, openFolderMode } from "./make-folder.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

test("folders are private to their owner unless they are made with the open mode", () => {
  makeFolder(join(folder, "a", "b"));
  expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o700);
  makeFolder(join(folder, "c", "d"), openFolderMode);
  expect(statSync(join(folder, "c")).mode & 0o777).toBe(0o777 & ~process.umask());
});

test.skipIf(!existsSync("/proc/self"))("a folder that cannot be made fails at once", () => {
  expect(() => makeFolder("/proc/x/y")).toThrow("ENOENT");
});

test("no source uses recursive mkdir, which may never end", () => {
  const source = resolve(import.meta.dirname, "..");
  const makesFolders = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test|-fixture)\.ts$/u.test(path))
    .filter((path) =>
      /\bmkdir(?:Sync)?\([^;]*recursive: true/u.test(readFileSync(join(source, path), "utf8")),
    );
  expect(makesFolders).toEqual([]);
});

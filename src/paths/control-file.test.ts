import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedFolder } from "../../test/support/temporary-folder.ts";
import { readControlFile, writeControlFile } from "./control-file.ts";

const folder = sharedFolder();

test("is read as it was written, by its owner only", () => {
  const path = join(folder, "file");
  for (const text of ["a longer text\n", "short\n"]) {
    writeControlFile(path, text);
    expect(readControlFile(path)).toBe(text);
  }
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(() => readControlFile(join(folder, "none"))).toThrow("ENOENT");
});

test("a pipe or a folder in its place keeps nobody waiting", () => {
  const [pipe, inside] = [join(folder, "pipe"), join(folder, "inside")];
  execFileSync("mkfifo", [pipe]);
  mkdirSync(inside);
  expect(readControlFile(pipe)).toBe("");
  expect(() => writeControlFile(pipe, "text")).toThrow("ENXIO");
  expect(() => readControlFile(inside)).toThrow("EISDIR");
  expect(() => writeControlFile(inside, "text")).toThrow("EISDIR");
  expect(readControlFile("/dev/zero")).toBe("");
});

import fs, { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { replaceFunctions } from "../../../test/support/replaced-functions.ts";
import { openStartupOutput, watchRemoval } from "./startup-output.ts";

const files = { refusal: undefined as string | undefined };
const { rmSync: remove } = fs;
replaceFunctions(fs, {
  rmSync: (path, options) => {
    if (files.refusal !== undefined) throw Object.assign(new Error(files.refusal), { code: files.refusal });
    remove(path, options);
  },
});
const folder = mkdtempSync(join(tmpdir(), "memsvc-words-"));

afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(folder, { recursive: true }));

test("removing startup output tolerates a file that the system keeps open", () => {
  vi.stubEnv("TMPDIR", folder);
  const words = openStartupOutput(folder);
  for (const refusal of ["ENOTEMPTY", "EBUSY", "EPERM"]) {
    files.refusal = refusal;
    expect(() => words.remove()).not.toThrow();
  }
  files.refusal = "EIO";
  expect(() => words.remove()).toThrow("EIO");
  files.refusal = undefined;
  words.into((output) => {
    const isRemoved = watchRemoval(Number(output));
    expect(isRemoved()).toBe(false);
    words.remove();
    expect(isRemoved()).toBe(true);
    expect(watchRemoval(Number(output))()).toBe(false);
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("without a writable folder the startup output states the reason", () => {
  vi.stubEnv("TMPDIR", "/nowhere/at/all");
  const file = join(folder, "file");
  writeFileSync(file, "");
  const home = join(file, "home");
  expect(openStartupOutput(home).text()).toBe(
    `neither ${home} nor a folder for temporary files can be written to`,
  );
});

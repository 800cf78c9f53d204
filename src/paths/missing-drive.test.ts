import fs from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { confinedPath } from "./confined.ts";
import { makeFolder } from "./make-folder.ts";

/* As on Windows, where also the topmost folder of a path may be missing: a drive that is not connected. */

const drive = { isMissing: false, looks: 0 };
const { existsSync, lstatSync, mkdirSync, statSync } = fs;
const onDrive = (work: (...args: never[]) => unknown, otherwise: () => unknown) =>
  ((...args: never[]) => {
    if (!drive.isMissing) return work(...args);
    drive.looks += 1;
    if (drive.looks > 100) throw new Error("looked for the same folders again and again");
    return otherwise();
  }) as never;
replaceFunctions(fs, {
  existsSync: onDrive(existsSync, () => false),
  lstatSync: onDrive(lstatSync, () => undefined),
  statSync: onDrive(statSync, () => undefined),
  mkdirSync: onDrive(mkdirSync, () => {
    throw Object.assign(new Error("ENOENT: no such file or directory, mkdir"), { code: "ENOENT" });
  }),
});

beforeEach(() => {
  Object.assign(drive, { isMissing: true, looks: 0 });
});
afterEach(() => {
  drive.isMissing = false;
});

test("a folder on a missing drive fails at once", () => {
  expect(() => makeFolder("/memory/m")).toThrow("ENOENT");
});

test.each(["read", "write"] as const)(
  "a path on a missing drive is rejected at once, to %s it",
  (purpose) => {
    expect(() => confinedPath("/notes/a.md", purpose, { roots: ["/u"], home: "/u/.memsvc" })).toThrow(
      expect.objectContaining({ code: "forbidden" }),
    );
  },
);

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

let within: string;
beforeEach(() => {
  within = temporaryFolder();
});

test("a temporary folder exists only during its work, even if that fails, and is not shared", async () => {
  await withTemporaryFolder(within, "copy", async (first) => {
    writeFileSync(join(first, "a"), "");
    await withTemporaryFolder(within, "copy", async (second) => {
      expect(second).not.toBe(first);
      expect(readdirSync(first)).toEqual(["a"]);
    });
    expect(readdirSync(within)).toHaveLength(1);
  });
  const failed = withTemporaryFolder(within, "copy", async () => {
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  expect(readdirSync(within)).toEqual([]);
});

test("folders of ended processes are removed, and nothing else", async () => {
  const nobody = 2 ** 22 + 1;
  const names = [
    `copy-${nobody}-1f`,
    `copy-${process.pid}-2f`,
    "copy-1-3f",
    `other-${nobody}-4f`,
    "copy-of-mine",
  ];
  for (const name of names) mkdirSync(join(within, name));
  await withTemporaryFolder(within, "copy", async () => undefined);
  expect(readdirSync(within).sort()).toEqual(["copy-1-3f", "copy-of-mine", `other-${nobody}-4f`]);
});

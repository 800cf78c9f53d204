import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { removeUnfinishedOf } from "./remove-unfinished.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Above every process id that a system assigns. */
const gone = 2 ** 30;

test("a leftover that cannot be removed stays, and the others are removed", async () => {
  mkdirSync(join(folder, `a.json.memsvc-${gone}-1.tmp`));
  writeFileSync(join(folder, `a.json.memsvc-${gone}-2.tmp`), "{");
  await removeUnfinishedOf(join(folder, "a.json"));
  expect(readdirSync(folder)).toEqual([`a.json.memsvc-${gone}-1.tmp`]);
});

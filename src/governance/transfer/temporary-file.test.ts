import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { TemporaryFile } from "./temporary-file.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

test("old files left by killed processes are removed, but no young and no other files", async () => {
  const [left, young, other] = [
    "import-0123456789abcdef.tmp",
    "import-fedcba9876543210.tmp",
    "import-mine.tmp",
  ];
  for (const name of [left, young, other]) writeFileSync(join(folder, name), "half");
  for (const name of [left, other]) utimesSync(join(folder, name), new Date(0), new Date(0));
  const file = await TemporaryFile.open(folder);
  await file.close();
  expect(readdirSync(folder)).toEqual([young, other]);
});

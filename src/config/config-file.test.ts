import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { changeConfigFile } from "./config-file.ts";
import { configFile } from "./home.ts";

test("removes the temporary file of a killed process, but not that of a running one", async () => {
  const home = temporaryFolder();
  const file = configFile(home);
  const [gone = "", another = ""] = [4_194_303, process.ppid].map((pid) => `${file}.memsvc-${pid}-1.tmp`);
  for (const left of [gone, another]) writeFileSync(left, "MEMSVC_SECRET=half");
  await changeConfigFile(home, () => "A=1\n");
  expect([existsSync(gone), existsSync(another), readFileSync(file, "utf8")]).toEqual([false, true, "A=1\n"]);
  expect(readdirSync(home)).toHaveLength(2);
});

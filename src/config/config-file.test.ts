import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changeConfigFile } from "./config-file.ts";
import { configFile } from "./home.ts";

test("removes the temporary file of a killed process, but not that of a running one", async () => {
  const home = mkdtempSync(join(tmpdir(), "memsvc-config-"));
  const file = configFile(home);
  const [gone = "", another = ""] = [4_194_303, process.ppid].map((pid) => `${file}.memsvc-${pid}-1.tmp`);
  for (const left of [gone, another]) writeFileSync(left, "MEMSVC_SECRET=half");
  await changeConfigFile(home, () => "A=1\n");
  expect([existsSync(gone), existsSync(another), readFileSync(file, "utf8")]).toEqual([false, true, "A=1\n"]);
  expect(readdirSync(home)).toHaveLength(2);
  rmSync(home, { recursive: true });
});

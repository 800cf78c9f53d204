import { chmodSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { databaseChecks } from "../governance/diagnostics/database-checks.ts";
import type { Ground } from "../ground.ts";
import type { Connection } from "../store/store.ts";

let home: string;
beforeEach(() => {
  home = temporaryFolder();
  chmodSync(home, 0o755);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a home that others can read is reported, except on Windows", async () => {
  const check = databaseChecks({ home } as Ground).find(({ name }) => name === "file-mode");
  const find = () => check?.find({} as Connection);
  expect(await find()).toMatchObject({ status: "warn", message: `other users can read ${home}` });
  vi.stubGlobal("process", { ...process, platform: "win32" });
  expect(await find()).toBeUndefined();
});

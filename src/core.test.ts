import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestCore } from "../test/support/core.ts";
import { openCore } from "./open-core.ts";

test("all long work has its handler, whether its service was asked for before or not", async () => {
  const { core, close } = await openTestCore();
  try {
    const kinds = core.jobHandlers().map(({ kind }) => kind);
    // Reading every property makes every service.
    expect(Object.values(core)).not.toHaveLength(0);
    expect(core.jobHandlers().map(({ kind }) => kind)).toEqual(kinds);
  } finally {
    await close();
  }
});

// SQLite's modes of `synchronous`: 2 is FULL, 1 is NORMAL.
test.each([
  ["a commit is on the disk when it returns", {}, 2],
  ["relaxed durability leaves that to the system", { MEMSVC_DURABILITY: "relaxed" }, 1],
])("%s", async (_promise, env, mode) => {
  const { core, close } = await openTestCore({ env });
  const { store } = core.ground;
  const writing = await store.write(({ sql }) => sql.all("PRAGMA synchronous"));
  const journal = await store.read.sql.all("PRAGMA journal_mode");
  expect([writing, journal]).toEqual([[{ synchronous: mode }], [{ journal_mode: "wal" }]]);
  await close();
});

test("a home below a file is called that, with the way out", async () => {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-core-"));
  const home = join(folder, "file", "home");
  writeFileSync(join(folder, "file"), "");
  try {
    await expect(openCore({ home, env: {} })).rejects.toMatchObject({
      code: "store_damaged",
      message: `the home folder ${home} cannot be made: a folder on the way to it is a file`,
      hint: "name another with --home or MEMSVC_HOME, or move the file away",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestCore } from "../test/support/core.ts";
import { openCore } from "./open-core.ts";

test("all job handlers exist before any service is used", async () => {
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

// SQLite's modes of `synchronous`: 2 is FULL, 1 is NORMAL; the next two flush the disk's cache on macOS.
test.each([
  ["a commit is on the disk when it returns", {}, 2, 1],
  ["relaxed durability leaves that to the system", { MEMSVC_DURABILITY: "relaxed" }, 1, 0],
])("%s", async (_promise, env, mode, flush) => {
  const home = mkdtempSync(join(tmpdir(), "memsvc-core-"));
  const core = await openCore({ home, env });
  const { store } = core.ground;
  const settings = ["synchronous", "fullfsync", "checkpoint_fullfsync", "journal_mode"];
  const found = await store.write(async ({ sql }) => {
    const rows: unknown[] = [];
    for (const setting of settings) rows.push(...(await sql.values(`PRAGMA ${setting}`)));
    return rows;
  });
  expect(found).toEqual([[mode], [flush], [1], ["wal"]]);
  await core.close();
  rmSync(home, { recursive: true });
});

test("a home below a file is reported as such, with a hint", async () => {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-core-"));
  const home = join(folder, "file", "home");
  writeFileSync(join(folder, "file"), "");
  try {
    await expect(openCore({ home, env: {} })).rejects.toMatchObject({
      code: "store_damaged",
      message: `the home folder ${home} cannot be made: part of its path is a file`,
      hint: "name another with --home or MEMSVC_HOME, or move the file away",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

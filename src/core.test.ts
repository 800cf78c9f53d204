import { expect, test } from "vitest";
import { openTestCore } from "../test/support/core.ts";

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

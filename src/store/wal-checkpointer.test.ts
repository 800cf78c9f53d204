import { existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "libsql";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { Store } from "./store.ts";
import { WalCheckpointer } from "./wal-checkpointer.ts";

let folder: string;
let path: string;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  path = join(folder, "memsvc.db");
  store = await Store.open({ path, durability: "full" });
});
afterEach(() => store.close());

const rows = 500;

/** Writes a megabyte, which is less than commits checkpoint by themselves. */
function writeMuch(name = "row"): Promise<unknown> {
  return store.write(async (tx) => {
    for (let row = 0; row < rows; row += 1) {
      await tx.sql.run("INSERT INTO tombstones (kind, id, deleted_at) VALUES (?, ?, 1)", [
        "x".repeat(2_000),
        `${name} ${row}`,
      ]);
    }
  });
}

const fileSize = () => statSync(path).size;

test("commits are moved into the database soon after, while the store is open", async () => {
  await writeMuch();
  await expect.poll(fileSize).toBeGreaterThan(1_000_000);
  expect(await store.read.sql.values("SELECT count(*) FROM tombstones")).toEqual([[rows]]);
});

test("a commit during a checkpoint is moved by the next checkpoint", async () => {
  const apart = join(folder, "apart.db");
  const writer = new Database(apart);
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE rows (body BLOB)");
  const insert = (bytes: number) => writer.exec(`INSERT INTO rows VALUES (zeroblob(${bytes}))`);
  const mover = new WalCheckpointer({ path: apart, durability: "full" });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    insert(40_000_000);
    mover.committed();
    vi.runAllTimers();
    // By then the run has begun, but is far from its end.
    await pause(10);
    insert(1_000_000);
    mover.committed();
    await mover.settled();
    vi.runAllTimers();
    await mover.settled();
    expect(statSync(apart).size).toBeGreaterThan(41_000_000);
  } finally {
    vi.useRealTimers();
    mover.close();
    writer.close();
  }
});

test("the log is emptied once nobody reads an earlier state, and commits are moved afterwards, too", async () => {
  const log = () => statSync(`${path}-wal`).size;
  const view = await store.openView();
  await view.sql.values("SELECT count(*) FROM tombstones");
  await writeMuch();
  expect(await store.emptyLog()).toBe(false);
  expect(log()).toBeGreaterThan(1_000_000);
  await view.close();
  expect(await store.emptyLog()).toBe(true);
  expect(log()).toBe(0);
  await writeMuch("further");
  await expect.poll(fileSize).toBeGreaterThan(2_000_000);
});

test("the log of a file that was moved away stays, and no empty file takes its place", async () => {
  const moved = join(folder, "moved.db");
  const writer = new Database(moved);
  writer.exec("PRAGMA journal_mode = WAL; CREATE TABLE rows (body BLOB)");
  const mover = new WalCheckpointer({ path: moved, durability: "full" });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    mover.committed();
    renameSync(moved, `${moved}.away`);
    vi.runAllTimers();
    await mover.settled();
    expect([existsSync(moved), existsSync(`${moved}-wal`)]).toEqual([false, true]);
  } finally {
    vi.useRealTimers();
    mover.close();
    writer.close();
  }
});

test("a store that is closed during a checkpoint is intact", async () => {
  for (const pauseMs of [0, 90, 100, 105, 110, 150]) {
    await store.write((tx) => tx.sql.run("DELETE FROM tombstones"));
    await writeMuch();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await store.close();
    const database = new Database(path);
    expect(database.prepare("PRAGMA integrity_check").get()).toMatchObject({ integrity_check: "ok" });
    expect(database.prepare("SELECT count(*) AS n FROM tombstones").get()).toMatchObject({ n: rows });
    database.close();
    store = await Store.open({ path, durability: "full" });
  }
});

test("checkpoints continue after the database was replaced", async () => {
  await writeMuch();
  await expect.poll(fileSize).toBeGreaterThan(1_000_000);
  await store.replaceDatabase(async (draft) => {
    const empty = await Store.open({ path: draft, durability: "full" });
    await empty.close();
  });
  expect(fileSize()).toBeLessThan(1_000_000);
  await writeMuch();
  await expect.poll(fileSize).toBeGreaterThan(1_000_000);
});

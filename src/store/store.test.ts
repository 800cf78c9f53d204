import { type ChildProcess, spawn } from "node:child_process";
import fs, { existsSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { lockHolder } from "./lock-holder.ts";
import { Store } from "./store.ts";

let folder: string;
let path: string;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  path = join(folder, "memsvc.db");
  store = await Store.open({ path, durability: "full" });
});
afterEach(() => store.close());

let isOutOfFiles = false;
const { readdirSync } = fs;
replaceFunctions(fs, {
  readdirSync: ((...given: Parameters<typeof readdirSync>) => {
    if (isOutOfFiles) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
    return readdirSync(...given);
  }) as typeof readdirSync,
});

function insert(id: string) {
  return store.write((tx) =>
    tx.sql.run("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('x', ?, 1)", [id]),
  );
}

async function ids(): Promise<unknown[]> {
  return (await store.read.sql.values("SELECT id FROM tombstones ORDER BY id")).flat();
}

/** Another process that holds the write lock for the given time. Resolves when it has the lock. */
async function lockedElsewhere(milliseconds: number): Promise<ChildProcess> {
  const script = `const Database = require(process.argv[1]); const db = new Database(process.argv[2], { timeout: 5000 });
    db.exec("BEGIN IMMEDIATE"); db.prepare("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('x', 'other', 1)").run();
    process.stdout.write("locked");
    setTimeout(() => { db.exec("COMMIT"); db.close(); }, Number(process.argv[3]));`;
  const libsql = createRequire(import.meta.url).resolve("libsql");
  const child = spawn(process.execPath, ["-e", script, libsql, path, String(milliseconds)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return child;
}

/** Another process that opens and closes the database like a program that does not know memsvc. */
async function closedElsewhere(): Promise<void> {
  const script = `const Database = require(process.argv[1]); const db = new Database(process.argv[2]);
    db.exec("PRAGMA user_version; SELECT count(*) FROM tombstones"); db.close();`;
  const libsql = createRequire(import.meta.url).resolve("libsql");
  const child = spawn(process.execPath, ["-e", script, libsql, path], { stdio: "inherit" });
  await new Promise((resolve) => child.once("exit", resolve));
}

describe("writes", () => {
  test.each([
    ["beside the first", async () => undefined],
    ["after the first was closed", () => store.close()],
  ])("from a store that is opened %s survive when another program closes the database", async (_, before) => {
    await insert("one");
    await before();
    const first = store;
    store = await Store.open({ path, durability: "full" });
    await insert("two");
    await closedElsewhere();
    await insert("three");
    expect(existsSync(`${path}-wal`)).toBe(true);
    await first.close();
  });

  test("detect the writes of another process, but not their own", async () => {
    const version = () => store.write((tx) => tx.foreignVersion());
    const before = await version();
    await insert("own");
    await expect(store.write((tx) => tx.sql.run("INSERT INTO nothing VALUES (1)"))).rejects.toThrow();
    expect(await version()).toBe(before);
    const other = await lockedElsewhere(0);
    await new Promise((resolve) => other.once("exit", resolve));
    const after = await version();
    expect(after).not.toBe(before);
    await insert("own too");
    expect(await version()).toBe(after);
  });

  test("that are under way when the store is closed end before it is", async () => {
    const ended: string[] = [];
    const written = insert("last").then(() => ended.push("the write"));
    await store.close();
    ended.push("the store");
    await written;
    expect(ended).toEqual(["the write", "the store"]);
  });

  test("hold the lock from their beginning, so that what they have read cannot change before they write", async () => {
    const other = new Database(path, { timeout: 0 });
    await store.write(async (tx) => {
      await tx.sql.values("SELECT id FROM tombstones");
      expect(() => other.exec("BEGIN IMMEDIATE")).toThrow(/locked/u);
    });
    other.close();
  });

  test("that fail undo their own changes only, not those of others in their group", async () => {
    const outcomes = await Promise.allSettled([
      insert("a"),
      store.write(async (tx) => {
        await tx.sql.run("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('x', 'lost', 1)");
        await tx.sql.run("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('x', NULL, 1)");
      }),
      insert("b"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await ids()).toEqual(["a", "b"]);
  });

  test("see what earlier writes of their group did", async () => {
    const [, seen] = await Promise.all([
      insert("a"),
      store.write((tx) => tx.sql.values("SELECT id FROM tombstones")),
    ]);
    expect(seen).toEqual([["a"]]);
  });

  test("are seen by readers when they are answered, not before", async () => {
    let during: unknown[] = [];
    await store.write(async (tx) => {
      await tx.sql.run("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('x', 'a', 1)");
      during = await ids();
    });
    expect(during).toEqual([]);
    expect(await ids()).toEqual(["a"]);
  });

  test("whose transaction the database has ended are all rejected, and later ones succeed", async () => {
    const outcomes = await Promise.allSettled([
      insert("a"),
      store.write(async (tx) => {
        await tx.sql.run("ROLLBACK");
        throw new Error("the transaction is gone");
      }),
      insert("b"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await ids()).toEqual([]);
    await insert("c");
    expect(await ids()).toEqual(["c"]);
  });

  test("that violate a constraint reveal no values in the error", async () => {
    await insert("dear secret");
    const error: unknown = await insert("dear secret").catch((raised: unknown) => raised);
    expect(String(error)).not.toContain("dear secret");
  });

  test("to a removed file are rejected and create no new file", async () => {
    await insert("first");
    expect(await ids()).toEqual(["first"]);
    rmSync(path);
    await expect(insert("second")).rejects.toMatchObject({
      code: "store_damaged",
      message: expect.stringContaining("was removed while it was in use"),
      hint: expect.stringContaining("to start afresh"),
    });
    await expect(store.openView()).rejects.toMatchObject({ code: "store_damaged" });
    expect(existsSync(path)).toBe(false);
    expect(await ids()).toEqual(["first"]);
  });

  test("that could not look at the folder are rejected, and later ones succeed", async () => {
    await insert("first");
    // A folder that has changed is looked at again.
    writeFileSync(join(folder, "other"), "");
    isOutOfFiles = true;
    await expect(insert("second")).rejects.toThrow("too many open files");
    isOutOfFiles = false;
    await insert("third");
    expect(await ids()).toEqual(["first", "third"]);
  });

  test("wait while another process holds the lock, without blocking the event loop", async () => {
    const child = await lockedElsewhere(600);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    let last = performance.now();
    let longestMs = 0;
    const turns = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 1);
    const holder = lockHolder(path);
    await insert("mine");
    clearInterval(turns);
    expect(await ids()).toEqual(["mine", "other"]);
    // Where the system shows its locks.
    if (existsSync("/proc/locks")) expect(holder).toBe(`node, pid ${child.pid}`);
    expect(longestMs).toBeLessThan(400);
    await ended;
  });

  test("from two stores on one file are all kept", async () => {
    const other = await Store.open({ path, durability: "full" });
    const write = (to: Store, name: string) =>
      to.write((tx) =>
        tx.sql.run("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('x', ?, 1)", [name]),
      );
    const names = Array.from({ length: 40 }, (_, at) => `n${String(at).padStart(2, "0")}`);
    await Promise.all(names.map((name, at) => write(at % 2 === 0 ? store : other, name)));
    expect(await ids()).toEqual(names);
    await other.close();
  });
});

test("reads continue while another process writes", async () => {
  await insert("a");
  const child = await lockedElsewhere(300);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  expect(await ids()).toEqual(["a"]);
  await ended;
  expect(await ids()).toEqual(["a", "other"]);
});

test("closing waits for pending writes, which are then on disk", async () => {
  const writes = Promise.all(["a", "b", "c"].map(insert));
  await store.close();
  await writes;
  const direct = new Database(path);
  expect(direct.prepare("SELECT count(*) AS n FROM tombstones").all([])).toEqual([{ n: 3 }]);
  expect(direct.prepare("PRAGMA integrity_check").all([])).toEqual([{ integrity_check: "ok" }]);
  direct.close();
});

import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { checkPages } from "./damage.ts";
import { copyDatabase } from "./database-file.ts";
import { draftPath, dropDraft } from "./replacement.ts";
import { Store } from "./store.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "memsvc.db");
});

/** Connections of libSQL end when their statements are collected. */
setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const open = () => Store.open({ path, durability: "relaxed" });

async function note(store: Store, id: string): Promise<void> {
  await store.write((tx) =>
    tx.sql.run("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('test', ?, 0)", [id]),
  );
}

async function notes(store: Store): Promise<unknown[]> {
  return (await store.read.sql.all("SELECT id FROM tombstones ORDER BY id")).map(({ id }) => id);
}

/** A store with one note, and a copy of it from before a second one was written. */
async function storeWithCopy(): Promise<{ store: Store; copy: string }> {
  const store = await open();
  await note(store, "first");
  const copy = join(folder, "copy");
  copyDatabase(path, copy);
  await note(store, "second");
  return { store, copy };
}

describe("replacing the database under an open store", () => {
  test("gives readers and writers the new database, and keeps what they write", async () => {
    const { store, copy } = await storeWithCopy();
    await store.replaceDatabase(async (draft) => copyFileSync(copy, draft));
    expect(await notes(store)).toEqual(["first"]);
    await note(store, "third");
    expect(await notes(store)).toEqual(["first", "third"]);
    await store.close();
    const again = await open();
    expect(await notes(again)).toEqual(["first", "third"]);
    await again.close();
  });

  test("holds back writes that arrive meanwhile and applies them to the new database", async () => {
    const { store, copy } = await storeWithCopy();
    const replaced = store.replaceDatabase(async (draft) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      copyFileSync(copy, draft);
    });
    await Promise.all([replaced, note(store, "meanwhile")]);
    expect(await notes(store)).toEqual(["first", "meanwhile"]);
    await store.close();
  });

  test("uses another file than the draft, so that all processes share the log's index", async () => {
    const { store, copy } = await storeWithCopy();
    let draftNumber: number | undefined;
    await store.replaceDatabase(async (draft) => {
      copyFileSync(copy, draft);
      draftNumber = statSync(draft).ino;
    });
    await note(store, "third");
    // SQLite identifies a file by its inode, and would go on using the log's index that it had beside the draft.
    expect(statSync(path).ino).not.toBe(draftNumber);
    expect(readdirSync(folder).sort()).toEqual(["copy", "memsvc.db", "memsvc.db-shm", "memsvc.db-wal"]);
    await store.close();
  });

  test("leaves the store as it was if it fails", async () => {
    const { store } = await storeWithCopy();
    const failing = store.replaceDatabase(async () => {
      throw new Error("no copy");
    });
    await expect(failing).rejects.toThrow("no copy");
    expect(await notes(store)).toEqual(["first", "second"]);
    await note(store, "third");
    expect(readdirSync(folder).filter((name) => name.includes("draft"))).toEqual([]);
    await store.close();
  });

  test("keeps the new database's log when connections to the old one are collected", async () => {
    const { store, copy } = await storeWithCopy();
    const view = await store.openView();
    await store.replaceDatabase(async (draft) => copyFileSync(copy, draft));
    await note(store, "third");
    expect((await view.sql.all("SELECT id FROM tombstones")).length).toBe(2);
    await view.close();
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 20));
    collectGarbage();
    expect(existsSync(`${path}-wal`)).toBe(true);
    const other = await open();
    expect(await notes(other)).toEqual(["first", "third"]);
    await other.close();
    await store.close();
  });

  test("is noticed by another store at its next write", async () => {
    const { store, copy } = await storeWithCopy();
    const other = await open();
    await note(other, "from the other");
    await store.replaceDatabase(async (draft) => copyFileSync(copy, draft));
    await note(other, "from the other, again");
    expect(await notes(store)).toEqual(["first", "from the other, again"]);
    expect(await notes(other)).toEqual(["first", "from the other, again"]);
    await other.close();
    await store.close();
  });

  test("is noticed by another store that only reads, when it looks", async () => {
    const { store, copy } = await storeWithCopy();
    const other = await open();
    expect(await notes(other)).toEqual(["first", "second"]);
    await store.replaceDatabase(async (draft) => copyFileSync(copy, draft));
    await other.followFile();
    expect(await notes(other)).toEqual(["first"]);
    await other.close();
    await store.close();
  });

  test.each([
    ["checks the file", (other: Store) => other.followFile()],
    ["writes", (other: Store) => note(other, "from the other")],
  ])("notifies the listeners of another store once when that %s", async (_, notice) => {
    const { store, copy } = await storeWithCopy();
    const other = await open();
    await note(other, "to be gone");
    let told = 0;
    other.onReplaced(() => {
      told += 1;
    });
    await other.followFile();
    expect(told).toBe(0);
    await store.replaceDatabase(async (draft) => copyFileSync(copy, draft));
    await notice(other);
    await other.followFile();
    expect(told).toBe(1);
    await other.close();
    await store.close();
  });

  test("reports a listener that fails", async () => {
    const { store, copy } = await storeWithCopy();
    const troubles: unknown[] = [];
    const other = await Store.open({
      path,
      durability: "relaxed",
      troubled: (error) => troubles.push(error),
    });
    await notes(other);
    other.onReplaced(async () => {
      throw new Error("the words stay as they were");
    });
    await store.replaceDatabase(async (draft) => copyFileSync(copy, draft));
    await other.followFile();
    expect(troubles).toEqual([new Error("the words stay as they were")]);
    await other.close();
    await store.close();
  });

  test("notifies the listeners of the store itself once", async () => {
    const { store, copy } = await storeWithCopy();
    let told = 0;
    store.onReplaced(() => {
      told += 1;
    });
    await store.replaceDatabase(async (draft) => copyFileSync(copy, draft));
    expect(told).toBe(1);
    await store.close();
  });
});

test("a part of a draft that cannot be removed does not keep the rest", () => {
  const draft = draftPath(path);
  mkdirSync(`${draft}-wal`);
  writeFileSync(`${draft}-copy`, "");
  dropDraft(path);
  expect(readdirSync(folder)).toEqual([basename(`${draft}-wal`)]);
});

describe("a file that another program puts in the place of an open store", () => {
  test.each([
    ["checks the file", (store: Store) => store.followFile()],
    ["writes", (store: Store) => note(store, `third of ${Math.random()}`)],
    ["reads in a view", async (store: Store) => (await store.openView()).close()],
  ])("is used whole by each store once it %s", async (_, notice) => {
    const { store, copy } = await storeWithCopy();
    const other = await open();
    await note(other, "from the other");
    for (let at = 0; at < 50; at += 1) await note(store, `${at} ${"x".repeat(3_000)}`);
    renameSync(copy, path);
    await notice(store);
    await notice(other);
    await note(other, "fourth");
    const after = (await notes(store)).filter((id) => !String(id).startsWith("third"));
    expect(after).toEqual(["first", "fourth"]);
    await other.close();
    await store.close();
    checkPages(path);
  });
});

test("a copy that another program puts in the place of an open store lets others read while it writes", async () => {
  const { store, copy } = await storeWithCopy();
  renameSync(copy, path);
  await store.followFile();
  const view = await store.openView();
  await note(store, "third");
  expect(await notes(store)).toEqual(["first", "third"]);
  await view.close();
  await store.close();
});

describe("an unusable file in the place of an open store", () => {
  test.each([
    ["of a newer schema", 99, "store_newer"],
    ["of an older schema", 6, "unavailable"],
  ])("%s is rejected and left unchanged until another replaces it", async (_, version, code) => {
    const { store, copy } = await storeWithCopy();
    const other = join(folder, "other");
    copyFileSync(copy, other);
    const header = readFileSync(other);
    header.writeUInt32BE(version, 60);
    writeFileSync(other, header);
    renameSync(other, path);
    await expect(store.followFile()).rejects.toMatchObject({ code });
    await expect(note(store, "third")).rejects.toMatchObject({ code });
    expect(readFileSync(path).equals(header)).toBe(true);
    expect(existsSync(`${path}-wal`)).toBe(false);
    renameSync(copy, path);
    await note(store, "fourth");
    expect(await notes(store)).toEqual(["first", "fourth"]);
    await store.close();
  });

  test("that is no database is rejected", async () => {
    const { store, copy } = await storeWithCopy();
    writeFileSync(join(folder, "other"), "x".repeat(9_000));
    renameSync(join(folder, "other"), path);
    await expect(note(store, "third")).rejects.toMatchObject({ code: "store_damaged" });
    renameSync(copy, path);
    expect(await store.followFile()).toBeUndefined();
    expect(await notes(store)).toEqual(["first"]);
    await store.close();
  });
});

describe("a process that dies", () => {
  /** No process has this number. */
  const dead = 4_194_399;

  test("before its replacement is decided leaves the old store, with all of its log", async () => {
    const { store, copy } = await storeWithCopy();
    copyFileSync(copy, `${path}.draft.${dead}`);
    for (const beside of ["-journal", "-copy"]) copyFileSync(copy, `${path}.draft.${dead}${beside}`);
    await store.close();
    const again = await open();
    expect(await notes(again)).toEqual(["first", "second"]);
    expect(readdirSync(folder).filter((name) => name.includes("draft"))).toEqual([]);
    await again.close();
  });

  test("while it prepares a replacement keeps no process with the same id from another", async () => {
    const { store, copy } = await storeWithCopy();
    for (const beside of ["", "-wal"]) writeFileSync(`${draftPath(path)}${beside}`, "half");
    await store.replaceDatabase(async (draft) => copyFileSync(copy, draft, constants.COPYFILE_EXCL));
    expect(await notes(store)).toEqual(["first"]);
    await store.close();
  });

  test("after its replacement is decided leaves the new store, without the old log", async () => {
    const { store, copy } = await storeWithCopy();
    await store.close();
    renameSync(copy, `${path}.incoming.${dead}`);
    const again = await open();
    expect(await notes(again)).toEqual(["first"]);
    expect(readdirSync(folder).filter((name) => name.includes("incoming"))).toEqual([]);
    await again.close();
  });

  test("after its replacement is decided leaves the new store, even for those with the old one open", async () => {
    const { store, copy } = await storeWithCopy();
    const other = await open();
    renameSync(copy, `${path}.incoming.${dead}`);
    await note(store, "third");
    await note(other, "fourth");
    const again = await open();
    expect(await notes(again)).toEqual(["first", "fourth", "third"]);
    for (const one of [store, other, again]) await one.close();
  });
});

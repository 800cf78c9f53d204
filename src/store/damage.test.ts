import { mkdirSync, openSync, readFileSync, statSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { damagedStore } from "./damage.ts";
import { schemaVersion } from "./migrate.ts";
import { Store } from "./store.ts";

const pageBytes = 4_096;

let folder: string;
let path: string;
beforeEach(async () => {
  folder = temporaryFolder();
  path = join(folder, "memsvc.db");
  await (await Store.open({ path, durability: "full" })).close();
  // A closed connection and its log live until its statements are collected; a copy has no log.
  const whole = new Database(path);
  whole.exec(`VACUUM INTO '${path}.copy'`);
  whole.close();
  path = `${path}.copy`;
});

function overwrite(at: number, bytes: Uint8Array): void {
  writeSync(openSync(path, "r+"), bytes, 0, bytes.byteLength, at);
}

function setHeader(at: number, value: number): void {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  overwrite(at, bytes);
}

async function refusal(afterCrash = false): Promise<unknown> {
  const before = readFileSync(path);
  const error = await Store.open({ path, durability: "full", afterCrash }).catch((raised: unknown) => raised);
  expect(readFileSync(path).equals(before)).toBe(true);
  return error;
}

describe("a file's header", () => {
  test.each([
    ["names another program", 68, 0x12345678, "store_damaged", "another program"],
    ["names a newer schema", 60, 99, "store_newer", "schema 99"],
    ["promises more pages than there are", 28, 5_000, "store_damaged", "cut short"],
    ["does not begin as a database does", 0, 0, "store_damaged", "damaged"],
  ])("that %s is rejected, and the file is left unchanged", async (_what, at, value, code, said) => {
    setHeader(at, value);
    expect(await refusal()).toMatchObject({ code, message: expect.stringContaining(said) });
  });

  test("that is truncated is rejected", async () => {
    writeFileSync(path, readFileSync(path).subarray(0, 50));
    expect(await refusal()).toMatchObject({ code: "store_damaged" });
  });

  test("may promise more pages if a log beside the file has them", async () => {
    const database = new Database(path);
    // The version stands on the first page, so that this page is in the log too, as in a crash between the two.
    database.exec(`PRAGMA journal_mode = WAL; INSERT INTO tombstones (kind, id, deleted_at) VALUES ('x', 'y', 1);
      PRAGMA user_version = 1; PRAGMA user_version = ${schemaVersion}`);
    setHeader(28, 5_000);
    const store = await Store.open({ path, durability: "full" });
    expect(await store.read.sql.all("SELECT id FROM tombstones")).toMatchObject([{ id: "y" }]);
    await store.close();
    database.close();
  });
});

describe("after a crash", () => {
  test("a sound store opens", async () => {
    const store = await Store.open({ path, durability: "full", afterCrash: true });
    await store.close();
  });

  test("a store that does not exist yet is created", async () => {
    path = join(folder, "none.db");
    const store = await Store.open({ path, durability: "full", afterCrash: true });
    await store.close();
  });

  test("a store with a damaged page is rejected and left unchanged", async () => {
    const pages = statSync(path).size / pageBytes;
    overwrite(Math.floor(pages / 2) * pageBytes, Buffer.alloc(pageBytes, 0xa5));
    expect(await refusal(true)).toMatchObject({
      code: "store_damaged",
      message: expect.stringContaining(path),
    });
  });

  test("an index that has lost an entry counts as damage", async () => {
    const database = new Database(path);
    database.exec(
      "INSERT INTO tombstones (kind, id, deleted_at) VALUES ('x', 'y', 1); INSERT INTO documents_fts (rowid, title) VALUES (7, 'seven')",
    );
    database.exec("UPDATE documents_fts_data SET block = x'0000000000' WHERE id > 10");
    database.close();
    expect(await refusal(true)).toMatchObject({ code: "store_damaged" });
  });
});

describe("the hint for a damaged store", () => {
  test("names the newest copy in the snapshots folder", () => {
    const snapshots = join(folder, "snapshots");
    mkdirSync(snapshots);
    for (const [name, seconds] of [
      ["old.db", 1_000],
      ["new.db", 3_000],
      ["mid.db", 2_000],
      ["new.json", 4_000],
    ] as const) {
      writeFileSync(join(snapshots, name), "");
      utimesSync(join(snapshots, name), seconds, seconds);
    }
    expect(damagedStore(path, "is damaged").hint).toContain(
      `the newest snapshot is ${join(snapshots, "new.db")};`,
    );
  });

  test("says that there is no snapshot if there is none", () => {
    expect(damagedStore(path, "is damaged").hint).toContain(
      `there is no snapshot in ${join(folder, "snapshots")}`,
    );
  });
});

describe("a damaged page in an open store", () => {
  const rootOf = (name: string): number => {
    const database = new Database(path);
    try {
      const row = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get([name]);
      return (row as { rootpage: number }).rootpage;
    } finally {
      database.close();
    }
  };

  test.each([
    ["by a read", (store: Store) => store.read.sql.all("SELECT * FROM tombstones")],
    ["by the query builder", (store: Store) => store.read.orm.all("SELECT * FROM tombstones")],
    [
      "in a view",
      async (store: Store) => {
        const view = await store.openView();
        await view.sql.all("SELECT * FROM tombstones").finally(() => view.close());
      },
    ],
  ])("is recorded when it is met %s", async (_where, read) => {
    const at = (rootOf("tombstones") - 1) * pageBytes;
    const store = await Store.open({ path, durability: "full" });
    overwrite(at, Buffer.alloc(pageBytes, 0xa5));
    expect(store.damage.isMet).toBe(false);
    await expect(read(store)).rejects.toThrow();
    expect(store.damage.isMet).toBe(true);
    await store.close();
  });
});

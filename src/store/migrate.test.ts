import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "libsql";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Driver } from "./driver.ts";
import { LocalDriver } from "./local-driver.ts";
import { migrate, schemaVersion } from "./migrate.ts";
import { packageFolder, readMigrations } from "./migrations.ts";
import { Store } from "./store.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "memsvc.db");
});

function direct<T>(use: (database: InstanceType<typeof Database>) => T): T {
  const database = new Database(path);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** What the database and its log hold. */
function written(): string[] {
  return [path, `${path}-wal`].map((file) => (existsSync(file) ? readFileSync(file, "latin1") : ""));
}

async function openAndClose(): Promise<void> {
  await (await Store.open({ path, durability: "full" })).close();
}

/** A store as an earlier version of the program left it. */
async function olderStore(version: number): Promise<void> {
  writeFileSync(path, "", { flag: "a" });
  const driver = new LocalDriver({ path, durability: "full" });
  await migrate(driver, {
    path,
    snapshotsFolder: join(folder, "snapshots"),
    readMigrations,
    currentVersion: version,
  });
  driver.close();
}

const schema = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name";

describe("opening", () => {
  test("creates a store and its folder if there is none", async () => {
    path = join(folder, "a", "b", "memsvc.db");
    await openAndClose();
    expect(direct((database) => database.prepare("PRAGMA user_version").all([]))).toEqual([
      { user_version: schemaVersion },
    ]);
    expect(existsSync(join(folder, "a", "b", "snapshots"))).toBe(false);
  });

  test("restores the write-ahead log of a store copied from a snapshot", async () => {
    await openAndClose();
    const copy = `${path}.copy`;
    direct((database) => database.exec(`VACUUM INTO '${copy}'`));
    path = copy;
    await openAndClose();
    expect(direct((database) => database.prepare("PRAGMA journal_mode").all([]))).toMatchObject([
      { journal_mode: "wal" },
    ]);
  });

  test("treats an empty file as a new store", async () => {
    writeFileSync(path, "");
    await openAndClose();
    expect(direct((database) => database.prepare("SELECT count(*) AS n FROM memories").all([]))).toEqual([
      { n: 0 },
    ]);
  });

  test("leaves a current store unchanged", async () => {
    await openAndClose();
    const before = written();
    await openAndClose();
    expect(written()).toEqual(before);
  });

  test("expects as many migrations as there are", () => {
    expect(readMigrations(), "schemaVersion in src/store/migrate.ts counts them").toHaveLength(schemaVersion);
  });
});

describe("an older store", () => {
  test("gets the current schema, keeps its rows and is copied first", async () => {
    await olderStore(1);
    direct((database) =>
      database.exec("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('memory', 'kept', 1)"),
    );
    await openAndClose();
    expect(direct((database) => database.prepare("SELECT id FROM tombstones").all([]))).toEqual([
      { id: "kept" },
    ]);
    const migrated = direct((database) => database.prepare(schema).all([]));
    const copy = join(folder, "snapshots", "pre-migration-1.db");
    expect(readdirSync(join(folder, "snapshots"))).toEqual(["pre-migration-1.db"]);
    expect((statSync(copy).mode & 0o777).toString(8)).toBe("600");
    path = copy;
    expect(direct((database) => database.prepare("PRAGMA user_version").all([]))).toEqual([
      { user_version: 1 },
    ]);
    expect(direct((database) => database.prepare("SELECT id FROM tombstones").all([]))).toEqual([
      { id: "kept" },
    ]);
    path = join(folder, "fresh.db");
    await openAndClose();
    expect(direct((database) => database.prepare(schema).all([]))).toEqual(migrated);
  });

  test("keeps the copy that was made first", async () => {
    await olderStore(1);
    const other = `${path}.second`;
    direct((database) => database.exec(`VACUUM INTO '${other}'`));
    await openAndClose();
    const copy = join(folder, "snapshots", "pre-migration-1.db");
    const before = statSync(copy).mtimeMs;
    path = other;
    await openAndClose();
    expect(statSync(copy).mtimeMs).toBe(before);
  });

  test("is copied again if an older program wrote to it after the copy", async () => {
    await olderStore(1);
    const other = `${path}.second`;
    direct((database) => database.exec(`VACUUM INTO '${other}'`));
    await openAndClose();
    path = other;
    direct((database) =>
      database.exec("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('memory', 'later', 1)"),
    );
    await openAndClose();
    expect(readdirSync(join(folder, "snapshots"))).toEqual(["pre-migration-1.db"]);
    path = join(folder, "snapshots", "pre-migration-1.db");
    expect(direct((database) => database.prepare("SELECT id FROM tombstones").all([]))).toEqual([
      { id: "later" },
    ]);
  });

  test("loses the partial copy of a killed process, but not one in progress", async () => {
    await olderStore(1);
    const copies = join(folder, "snapshots");
    mkdirSync(copies);
    const { pid: gone } = spawnSync(process.execPath, ["--version"]);
    for (const name of [
      `pre-migration-1.db.${gone}`,
      `pre-migration-1.db.${gone}-journal`,
      "pre-migration-1.db.1",
    ])
      writeFileSync(join(copies, name), "half");
    await openAndClose();
    expect(readdirSync(copies).sort()).toEqual(["pre-migration-1.db", "pre-migration-1.db.1"]);
  });

  test("stays as it was if a migration fails", async () => {
    await olderStore(1);
    const before = direct((database) => database.prepare(schema).all([]));
    const broken = () => [
      ...readMigrations().slice(0, 1),
      { name: "broken", statements: ["CREATE TABLE half_done (a)", "CREATE TABLE memories (b)"] },
    ];
    const driver = new LocalDriver({ path, durability: "full" });
    const options = {
      path,
      snapshotsFolder: join(folder, "snapshots"),
      readMigrations: broken,
      currentVersion: 2,
    };
    await expect(migrate(driver, options)).rejects.toThrow("already exists");
    driver.close();
    expect(direct((database) => database.prepare(schema).all([]))).toEqual(before);
    expect(direct((database) => database.prepare("PRAGMA user_version").all([]))).toEqual([
      { user_version: 1 },
    ]);
  });
});

describe("an unusable database", () => {
  test("of a newer program is rejected with a hint and left unchanged", async () => {
    await openAndClose();
    direct((database) => database.exec(`PRAGMA user_version = ${schemaVersion + 1}`));
    const before = written();
    await expect(Store.open({ path, durability: "full" })).rejects.toMatchObject({
      code: "store_newer",
      hint: expect.stringContaining("update"),
    });
    expect(written()).toEqual(before);
    expect(existsSync(join(folder, "snapshots"))).toBe(false);
  });

  test("of another program is rejected and left unchanged", async () => {
    direct((database) =>
      database.exec("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')"),
    );
    const before = readFileSync(path);
    await expect(Store.open({ path, durability: "full" })).rejects.toMatchObject({ code: "store_damaged" });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(["memsvc.db"]);
  });

  test("that is a text file is rejected with its path", async () => {
    writeFileSync(
      path,
      "this is a text file, not a database, and long enough to be told from an empty one".repeat(50),
    );
    await expect(Store.open({ path, durability: "full" })).rejects.toMatchObject({
      code: "store_damaged",
      message: expect.stringContaining(path),
    });
  });

  test.skipIf(process.getuid?.() === 0)("that is read-only is rejected", async () => {
    await openAndClose();
    chmodSync(path, 0o400);
    await expect(Store.open({ path, durability: "full" })).rejects.toMatchObject({ code: "store_damaged" });
  });

  test("that is a folder is rejected", async () => {
    path = folder;
    await expect(Store.open({ path, durability: "full" })).rejects.toMatchObject({ code: "store_damaged" });
  });

  test("that a newer program has just migrated is left as that program made it", async () => {
    await olderStore(1);
    const driver = new LocalDriver({ path, durability: "full" });
    const faster = () => {
      throw new Error("the migrations must not even be read");
    };
    const newerMeanwhile: Pick<Driver, "kind" | "reader" | "begin"> = {
      kind: driver.kind,
      reader: driver.reader,
      begin: async () => {
        direct((database) => database.exec(`PRAGMA user_version = ${schemaVersion + 5}`));
        return driver.begin();
      },
    };
    const options = { path, snapshotsFolder: join(folder, "snapshots"), readMigrations: faster };
    await expect(migrate(newerMeanwhile, options)).rejects.toMatchObject({ code: "store_newer" });
    driver.close();
    expect(direct((database) => database.prepare("PRAGMA user_version").all([]))).toEqual([
      { user_version: schemaVersion + 5 },
    ]);
  });
});

describe("several processes at once", () => {
  test.each([
    ["that make the same store", 0],
    ["that migrate the same older store", 1],
  ])("%s all succeed", async (_name, version) => {
    if (version > 0) await olderStore(version);
    const module = pathToFileURL(join(packageFolder(), "src", "store", "store.ts")).href;
    const script = `import(${JSON.stringify(module)}).then(async ({ Store }) => {
      const store = await Store.open({ path: process.argv[1], durability: "full" });
      await store.write((tx) => tx.sql.run("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('p', ?, 1)", [String(process.pid)]));
      await store.close();
    })`;
    const run = () =>
      new Promise((resolve) => {
        const child = spawn(
          process.execPath,
          ["--import", "./test/native-sources/register.mjs", "-e", script, path],
          {
            cwd: packageFolder(),
            stdio: ["ignore", "ignore", "inherit"],
          },
        );
        child.once("exit", resolve);
      });
    expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0]);
    expect(direct((database) => database.prepare("SELECT count(*) AS n FROM tombstones").all([]))).toEqual([
      { n: 3 },
    ]);
    expect(direct((database) => database.prepare("PRAGMA integrity_check").all([]))).toEqual([
      { integrity_check: "ok" },
    ]);
  });
});

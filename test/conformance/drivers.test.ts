import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client/sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Driver } from "../../src/store/driver.ts";
import { LocalDriver } from "../../src/store/local-driver.ts";
import { migrate } from "../../src/store/migrate.ts";
import { readMigrations } from "../../src/store/migrations.ts";
import { openRemote, RemoteDriver } from "../../src/store/remote-driver.ts";
import { openLibsqlServer } from "../support/libsql-server.ts";
import type { PeerServer } from "../support/peer-server.ts";
import { openRealLibsqlServer, serverProgram } from "../support/real-libsql-server.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

const folder = sharedFolder();
const servers: PeerServer[] = [];

afterAll(async () => {
  for (const server of servers) await server.close();
});

const drivers: readonly {
  readonly name: string;
  readonly open: () => Promise<Driver>;
  readonly skip: boolean;
}[] = [
  {
    name: "a file through prepared statements",
    open: async () => {
      const path = join(folder, "local.db");
      writeFileSync(path, "");
      return new LocalDriver({ path, durability: "full" });
    },
    skip: false,
  },
  {
    name: "the client library",
    open: async () => {
      const client = createClient({ url: `file:${join(folder, "client.db")}`, timeout: 5_000 });
      // As servers do.
      await client.execute("PRAGMA journal_mode = WAL");
      return new RemoteDriver(client, "a file");
    },
    skip: false,
  },
  {
    name: "the client library at a server on this machine",
    open: async () => {
      const server = await openLibsqlServer(join(folder, "served.db"), "a-token");
      servers.push(server);
      return openRemote(server.url, "a-token");
    },
    skip: false,
  },
  {
    name: "a libSQL server (its program is named by SQLD)",
    open: async () => {
      const server = await openRealLibsqlServer(join(folder, "server"));
      servers.push(server);
      return openRemote(server.url, undefined);
    },
    skip: serverProgram === undefined,
  },
];

for (const { name, open, skip } of drivers) {
  describe.skipIf(skip)(`a store on ${name}`, () => {
    let driver: Driver;
    beforeAll(async () => {
      driver = await open();
      const path = join(folder, "unused.db");
      await migrate(driver, { path, snapshotsFolder: join(folder, "snapshots"), readMigrations });
    });
    afterAll(() => driver.close());

    const insert = "INSERT INTO raw_events (observation_id, event) VALUES (?, ?)";
    const find = "SELECT observation_id AS id, event FROM raw_events WHERE observation_id = ?";

    test("is not changed by a second migration", async () => {
      const before = await driver.reader.all("SELECT name FROM sqlite_master ORDER BY name");
      await migrate(driver, { path: "", snapshotsFolder: "", readMigrations });
      expect(await driver.reader.all("SELECT name FROM sqlite_master ORDER BY name")).toEqual(before);
    });

    test("returns committed rows, as objects and as arrays", async () => {
      const open = await driver.begin();
      expect(await open.run(insert, ["one", "first"])).toEqual({ changes: 1 });
      await open.commit();
      expect(open.isOpen).toBe(false);
      expect((await driver.reader.all(find, ["one"])).map((row) => ({ ...row }))).toEqual([
        { id: "one", event: "first" },
      ]);
      expect(await driver.reader.values(find, ["one"])).toEqual([["one", "first"]]);
    });

    test("does not return rolled back rows, and a file's reader sees no uncommitted ones", async () => {
      const open = await driver.begin();
      await open.run(insert, ["two", "second"]);
      expect(open.isOpen).toBe(true);
      if (driver.kind === "file") expect(await driver.reader.all(find, ["two"])).toEqual([]);
      await open.rollback();
      expect(await driver.reader.all(find, ["two"])).toEqual([]);
    });

    test("does not show later writes to an open view", async () => {
      const view = await driver.openView();
      const open = await driver.begin();
      await open.run(insert, ["later", "x"]);
      await open.commit();
      expect(await view.all(find, ["later"])).toEqual([]);
      await view.close();
      expect(await driver.reader.all(find, ["later"])).toHaveLength(1);
    });

    test("rolls back only the part after a savepoint", async () => {
      const open = await driver.begin();
      await open.run(insert, ["three", "kept"]);
      await open.run("SAVEPOINT work");
      await open.run(insert, ["four", "dropped"]);
      await open.run("ROLLBACK TO work");
      await open.run("RELEASE work");
      await open.commit();
      expect(await driver.reader.all(find, ["three"])).toHaveLength(1);
      expect(await driver.reader.all(find, ["four"])).toEqual([]);
    });

    test("keeps a write that returns rows", async () => {
      const open = await driver.begin();
      const rows = await open.all<{ id: string }>(`${insert} RETURNING observation_id AS id`, ["five", "x"]);
      await open.commit();
      expect(rows.map(({ id }) => id)).toEqual(["five"]);
      expect(await driver.reader.all(find, ["five"])).toHaveLength(1);
    });

    test("runs a statement left to the commit once, with the commit, and not after a rollback", async () => {
      const rolledBack = await driver.begin();
      rolledBack.leaveToCommit("INSERT INTO raw_events (observation_id, event) VALUES ('left', 'dropped')");
      await rolledBack.rollback();
      const committed = await driver.begin();
      await committed.run(insert, ["seven", "x"]);
      committed.leaveToCommit("INSERT INTO raw_events (observation_id, event) VALUES ('left', 'kept')");
      expect(await committed.values(find, ["left"])).toEqual([]);
      await committed.commit();
      const next = await driver.begin();
      await next.commit();
      expect(await driver.reader.values(find, ["left"])).toEqual([["left", "kept"]]);
    });

    test("keeps nothing of a commit whose deferred statement fails", async () => {
      const open = await driver.begin();
      await open.run(insert, ["eight", "x"]);
      open.leaveToCommit("INSERT INTO raw_events (observation_id, event) VALUES ('one', 'a second time')");
      await expect(open.commit()).rejects.toThrow(/constraint/iu);
      await open.rollback();
      expect(await driver.reader.all(find, ["eight"])).toEqual([]);
    });

    test("returns bytes, numbers, null and text as they were written", async () => {
      const bytes = new Uint8Array([0, 1, 255]);
      const [row = []] = await driver.reader.values("SELECT ?, ?, ?, ?, ?", [
        bytes,
        1.5,
        1_900_000_000_000,
        null,
        "é😀",
      ]);
      const [blob, ...others] = row;
      expect([...new Uint8Array(blob as unknown as ArrayBuffer)]).toEqual([...bytes]);
      expect(others).toEqual([1.5, 1_900_000_000_000, null, "é😀"]);
    });

    test("keeps working after its connections were dropped", async () => {
      driver.reconnect();
      expect(await driver.reader.all(find, ["one"])).toHaveLength(1);
      const open = await driver.begin();
      await open.run(insert, ["six", "x"]);
      await open.commit();
    });
  });
}

import { copyFileSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate } from "../../src/governance/migration/operations.ts";
import { listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { replaceFunctions } from "../support/replaced-functions.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/* A store is copied before it is read. The process that uses it may begin its log anew in the middle of that. */

let copied: (from: string) => void = () => undefined;
const { copyFile } = fs;
replaceFunctions(fs, {
  copyFile: async (from, to, mode) => {
    await copyFile(from, to, mode);
    copied(String(from));
  },
});

let http: TestHttp;
let dbPath: string;
/** The connection of the process that uses the store. */
let user: InstanceType<typeof Database>;
beforeEach(async () => {
  const other = await openTestHttp();
  await other.ok(remember, { content: "Ledgers are balanced at night", project: "bank" });
  const folder = temporaryFolder();
  dbPath = join(folder, "old.db");
  for (const end of ["", "-wal"]) copyFileSync(join(other.home, `memsvc.db${end}`), `${dbPath}${end}`);
  await other.close();
  user = new Database(dbPath);
  http = await openTestHttp({ env: { MEMSVC_ALLOWED_ROOTS: folder } });
});
afterEach(async () => {
  copied = () => undefined;
  await http.close();
  user.close();
});

/** Moves the log into the database and begins it anew, as happens from time to time. */
function beginLogAnew(): void {
  user.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  // A write that changes nothing would leave the log empty.
  user.exec("UPDATE memories SET recall_count = recall_count + 1");
}

test("all of a store in use is migrated, even if its log begins anew while it is copied", async () => {
  let left = 2;
  copied = (from) => {
    if (from === dbPath && left-- > 0) beginLogAnew();
  };
  expect(await http.ok(migrate, { dbPath })).toMatchObject({ memoryCount: 1 });
  expect(left).toBe(-1);
});

test("a store whose log begins anew all the time is refused, with the way out, and nothing is imported", async () => {
  copied = (from) => {
    if (from === dbPath) beginLogAnew();
  };
  const refused = await http.reply(migrate, { dbPath });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: `${dbPath} cannot be imported: it is written to all the time` },
  });
  expect((await http.ok(listMemories, {})).total).toBe(0);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sharedFolder } from "../../test/support/temporary-folder.ts";
import { LocalConnection } from "./local-connection.ts";
import { LocalDriver } from "./local-driver.ts";

const folder = sharedFolder();
const path = join(folder, "view.db");
writeFileSync(path, "");
const driver = new LocalDriver({ path, durability: "relaxed" });

async function write(text: string): Promise<void> {
  const open = await driver.begin();
  await open.run(text);
  await open.commit();
}

beforeAll(async () => {
  await driver.reader.all("PRAGMA journal_mode = WAL");
  await write("CREATE TABLE numbers (n INTEGER)");
});

afterAll(() => {
  driver.close();
});

const count = "SELECT count(*) FROM numbers";

test("readings of a view see the same moment, whatever is committed meanwhile", async () => {
  for (let committed = 0; committed < 20; committed += 1) {
    const commit = write("INSERT INTO numbers VALUES (1)");
    const view = await driver.openView();
    await commit;
    const seen = await Promise.all(Array.from({ length: 6 }, () => view.values(count)));
    await view.close();
    expect(new Set(seen.map((rows) => rows[0]?.[0])).size).toBe(1);
    expect([committed, committed + 1]).toContain(seen[0]?.[0]?.[0]);
  }
});

test("a reading that fails in a view does not affect the others", async () => {
  const view = await driver.openView();
  const failing = ["SELECT nothing", "SELECT json_extract('no json', '$')"].map((text) => view.values(text));
  const [one, other, ...sound] = await Promise.allSettled([
    ...failing,
    view.values(count),
    view.values(count),
  ]);
  await view.close();
  for (const failed of [one, other])
    expect(failed).toMatchObject({ status: "rejected", reason: { code: "SQLITE_ERROR" } });
  expect(sound.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
});

test("closing a view waits for its running readings", async () => {
  const view = await driver.openView();
  const long = view.values(
    "WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 300000) SELECT max(n) FROM up",
  );
  await view.close();
  expect(await long).toEqual([[300_000]]);
});

test("a view that cannot be opened keeps nothing from being moved out of the log", async () => {
  const { exec } = LocalConnection.prototype;
  let calls = 0;
  const spied = vi.spyOn(LocalConnection.prototype, "exec").mockImplementation(function (
    this: LocalConnection,
    text,
  ) {
    calls += 1;
    if (calls === 2) throw new Error("unable to open the log");
    exec.call(this, text);
  });
  const opening = driver.openView();
  await expect(opening).rejects.toThrow("unable to open the log");
  spied.mockRestore();
  await write("INSERT INTO numbers VALUES (1)");
  expect(await driver.emptyLog()).toBe(true);
});

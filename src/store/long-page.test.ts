import { join } from "node:path";
import { desc, like } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedFolder } from "../../test/support/temporary-folder.ts";
import { longPageOf } from "./long-page.ts";
import { pageOf } from "./page.ts";
import type { Sql } from "./sql.ts";
import { Store } from "./store.ts";
import { connectionOver } from "./transaction.ts";

const marks = sqliteTable("tombstones", {
  kind: text().notNull(),
  id: text().notNull(),
  deletedAt: integer().notNull(),
});
const selection = { where: like(marks.id, "a%"), order: [desc(marks.deletedAt), desc(marks.id)] };

const folder = sharedFolder();
let store: Store;
beforeAll(async () => {
  store = await Store.open({ path: join(folder, "memsvc.db"), durability: "relaxed" });
  const rows = Array.from({ length: 1_400 }, (_, at) => [at % 7 === 0 ? `b${at}` : `a${at}`, at % 40]);
  await store.write((tx) =>
    tx.sql.run(
      `INSERT INTO tombstones (kind, id, deleted_at)
       SELECT 'x', json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
      [JSON.stringify(rows)],
    ),
  );
});
afterAll(() => store.close());

const pages = [
  { limit: 5_000, offset: 0 },
  { limit: 1_200, offset: 0 },
  { limit: 1_000, offset: 0 },
  { limit: 501, offset: 699 },
  { limit: 500, offset: 0 },
  { limit: 501, offset: 0 },
  { limit: 5_000, offset: 700 },
  { limit: 5_000, offset: 699 },
  { limit: 10, offset: 1_195 },
  { limit: 5_000, offset: 9_000 },
];

test.each(pages)(
  "the page of $limit rows from $offset on is the same in parts and in one read",
  async (page) => {
    // Compared as text, so that the order of fields counts too.
    expect(JSON.stringify(await longPageOf(store, marks, selection, page))).toBe(
      JSON.stringify(await pageOf(store.read, marks, selection, page)),
    );
  },
);

test("a long page shows one moment, although rows are deleted while it is read", async () => {
  const page = { limit: 5_000, offset: 0 };
  const before = await pageOf(store.read, marks, selection, page);
  const deletingMeanwhile = {
    read: store.read,
    isFile: true,
    openView: async () => {
      const view = await store.openView();
      await store.write((tx) => tx.sql.run("DELETE FROM tombstones WHERE deleted_at > 20"));
      return view;
    },
  };
  expect(await longPageOf(deletingMeanwhile, marks, selection, page)).toEqual(before);
  const after = await longPageOf(store, marks, selection, page);
  expect(after).toMatchObject({ total: after.rows.length });
  expect(after.total).toBeLessThan(before.total);
});

test("no statement returns more than 500 rows of a long list", async () => {
  const given: number[] = [];
  const noting = (sql: Sql): Sql => ({
    ...sql,
    values: async (statement, args) => {
      const rows = await sql.values(statement, args);
      given.push(rows.length);
      return rows;
    },
  });
  const noted = {
    isFile: true,
    read: connectionOver(noting(store.read.sql), {}),
    openView: async () => {
      const view = await store.openView();
      return connectionOver(noting(view.sql), { close: () => view.close() });
    },
  };
  const { total } = await longPageOf(noted, marks, { order: [desc(marks.id)] }, { limit: 5_000, offset: 0 });
  expect(total).toBeGreaterThan(600);
  expect(Math.max(...given)).toBe(500);
});

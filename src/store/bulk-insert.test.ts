import Database from "libsql";
import { expect, test } from "vitest";
import { bulkInsert } from "./bulk-insert.ts";
import type { Sql } from "./sql.ts";

const insert = bulkInsert("INSERT INTO pairs (a, b, c)", "(?, 7, ?)");

test.each([0, 1, 9, 10, 11, 99, 100, 101, 235])("%s rows are all inserted, in their order", async (count) => {
  const database = new Database(":memory:");
  database.exec("CREATE TABLE pairs (key INTEGER PRIMARY KEY, a, b, c)");
  const sql = {
    run: async (text, args = []) => database.prepare(text).run(args),
  } as Pick<Sql, "run"> as Sql;
  const rows = Array.from({ length: count }, (_, at) => [at, at % 3 === 0 ? null : `row ${at}`]);
  await insert(sql, rows);
  const stored = database.prepare("SELECT a, b, c FROM pairs ORDER BY key").raw(true).all([]);
  expect(stored).toEqual(rows.map(([a, c]) => [a, 7, c]));
  database.close();
});

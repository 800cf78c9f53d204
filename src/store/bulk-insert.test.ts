import Database from "libsql";
import { expect, test } from "vitest";
import { bulkInsert } from "./bulk-insert.ts";
import type { Sql } from "./sql.ts";

async function inserted(...lists: (readonly (readonly (number | string | null)[])[])[]) {
  const database = new Database(":memory:");
  database.exec("CREATE TABLE pairs (key INTEGER PRIMARY KEY, a, b, c)");
  const sql = {
    run: async (text, args = []) => database.prepare(text).run(args),
  } as Pick<Sql, "run"> as Sql;
  const insert = bulkInsert("INSERT INTO pairs (a, b, c)", "(?, 7, ?)");
  for (const rows of lists) await insert(sql, rows);
  const stored = database.prepare("SELECT a, b, c FROM pairs ORDER BY key").raw(true).all([]);
  database.close();
  return stored;
}

test.each([0, 1, 9, 10, 11, 99, 100, 101, 235])("inserts %s rows in their order", async (count) => {
  const rows = Array.from({ length: count }, (_, at) => [at, at % 3 === 0 ? null : `row ${at}`]);
  expect(await inserted(rows)).toEqual(rows.map(([a, c]) => [a, 7, c]));
});

test.each([1, 10, 100])(
  "inserts %s rows with their own values, whatever earlier rows had in common",
  async (count) => {
    const rows = (a: (at: number) => number | null, c: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => [a(at), c(at)] as const);
    const lists = [
      rows(
        () => null,
        () => "same",
      ),
      rows(
        () => 5,
        () => "same again",
      ),
      rows(
        () => 5,
        (at) => `row ${at}`,
      ),
      rows(
        () => 6,
        () => "same",
      ),
      rows(
        (at) => at,
        () => "last",
      ),
    ];
    expect(await inserted(...lists)).toEqual(lists.flat().map(([a, c]) => [a, 7, c]));
  },
);

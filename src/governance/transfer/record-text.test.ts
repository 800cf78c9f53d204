import Database from "libsql";
import { expect, test } from "vitest";
import { recordText, textMember, timeMembers } from "./record-text.ts";

const record = recordText([
  textMember("id"),
  timeMembers("createdAt", "created", { name: "updatedAt", column: "updated" }),
]);

const later = 1_767_225_600_000;

test.each([
  [later, later, "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"],
  [later, later + 1, "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.001Z"],
  [0, later, "1970-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"],
  [8_640_000_000_000_000, 8_640_000_000_000_000, 8_640_000_000_000_000, 8_640_000_000_000_000],
  [later, 8_640_000_000_000_000, "2026-01-01T00:00:00.000Z", 8_640_000_000_000_000],
])("the times %s and %s are both written into a record", (created, updated, createdAt, updatedAt) => {
  const database = new Database(":memory:");
  const [row] = database
    .prepare(`SELECT ${record} AS record FROM (SELECT 'a "@" b' AS id, ? AS created, ? AS updated)`)
    .all([created, updated]) as { record: string }[];
  database.close();
  expect(JSON.parse(row?.record ?? "")).toEqual({ id: 'a "@" b', createdAt, updatedAt });
});

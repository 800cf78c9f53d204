import fc from "fast-check";
import { expect, test } from "vitest";
import { openTestIndex } from "../index/index-fixture.ts";
import { exactNumber, packed, packedRows } from "./packed-rows.ts";

test("packed rows are the rows of the statement, in its order", async () => {
  const index = openTestIndex();
  const text = packed(
    ["place", "said"],
    `SELECT a.key AS place, a.value AS said FROM json_each(?1) AS a ORDER BY a.key DESC LIMIT ?2`,
  );
  const said = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.constant(null));
  await fc.assert(
    fc.asyncProperty(fc.array(said, { maxLength: 30 }), fc.nat(40), async (values, limit) => {
      const expected = values.map((value, place) => [place, value] as const).reverse();
      const rows = await packedRows<readonly [number, string | number | null]>(index.sql, text, [
        JSON.stringify(values),
        limit,
      ]);
      expect(rows).toEqual(expected.slice(0, limit));
    }),
  );
  index.close();
});

test("an exact column keeps every digit of a number", async () => {
  const index = openTestIndex();
  const text = packed([exactNumber("value")], "SELECT value FROM json_each(?)");
  const numbers = fc.array(
    fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true, min: 0, max: 1 }), fc.nat()),
  );
  await fc.assert(
    fc.asyncProperty(numbers, async (values) => {
      const stored = values.map((value) => (value < 1e-9 ? 0 : value));
      const rows = await packedRows<readonly [number]>(index.sql, text, [JSON.stringify(stored)]);
      expect(rows.flat()).toEqual(stored);
    }),
  );
  index.close();
});

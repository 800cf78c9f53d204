import fc from "fast-check";
import { expect, test } from "vitest";
import { idPrefixes, idSource, type RecordKind } from "./ids.ts";

const kinds = Object.keys(idPrefixes) as RecordKind[];

test("an id is its kind's prefix and 26 lower-case base-32 characters", () => {
  const newId = idSource();
  for (const kind of kinds) {
    expect(newId(kind)).toMatch(new RegExp(`^${idPrefixes[kind]}_[0-9a-hjkmnp-tv-z]{26}$`, "u"));
  }
});

test("no two kinds have the same prefix", () => {
  expect(new Set(Object.values(idPrefixes)).size).toBe(kinds.length);
});

test("ids sort in the order of their creation, even if the clock goes back", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 47 }), { minLength: 2, maxLength: 50 }), (times) => {
      let time = 0;
      const newId = idSource(() => time);
      const made = times.flatMap((now) => {
        time = now;
        return [newId("memory"), newId("memory")];
      });
      expect([...made].sort()).toEqual(made);
      expect(new Set(made).size).toBe(made.length);
    }),
  );
});

test("two processes that start in the same millisecond make different ids", () => {
  const made = Array.from({ length: 1_000 }, () => idSource(() => 5)("memory"));
  expect(new Set(made).size).toBe(1_000);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { PostingLists } from "./posting-lists.ts";

/** Postings of terms whose hashes often collide in the hash table. `ahead`: distance from the posting before. */
const postings = fc.array(
  fc.record({
    hash: fc.oneof(
      fc.nat(3),
      fc.nat(9).map((n) => n * 1_024),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    ),
    ahead: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 200_000 })),
    weight: fc.oneof(fc.constant(4), fc.integer({ min: 1, max: 6_000 })),
  }),
  { maxLength: 400 },
);

test("each term returns its postings, whatever their number and distance", () => {
  fc.assert(
    fc.property(postings, (given) => {
      const lists = new PostingLists(4);
      const expected = new Map<number, [ordinal: number, weight: number][]>();
      let ordinal = 0;
      for (const { hash, ahead, weight } of given) {
        ordinal += ahead;
        lists.add(hash, ordinal, weight);
        expected.set(hash, [...(expected.get(hash) ?? []), [ordinal, weight]]);
      }
      const [ordinals, weights] = [new Uint32Array(given.length), new Uint16Array(given.length)];
      for (const [hash, wanted] of expected) {
        expect(lists.documentsOf(hash)).toBe(wanted.length);
        const read = lists.read(hash, ordinals, weights);
        const found = Array.from(ordinals.subarray(0, read), (at, place) => [at, weights[place]]);
        expect(found).toEqual(wanted);
      }
      expect(lists.read(123_456_789, ordinals, weights)).toBe(expected.get(123_456_789)?.length ?? 0);
    }),
  );
});

test("a term can occur in each of 60 000 documents, among thousands of other terms", () => {
  const lists = new PostingLists(4);
  const documents = 60_000;
  for (let ordinal = 0; ordinal < documents; ordinal += 1) {
    lists.add(1, ordinal, 1 + (ordinal % 9));
    lists.add(2 + (ordinal % 5_000), ordinal, 4);
    lists.add(1_000_000 + ordinal, ordinal, 4);
  }
  const [ordinals, weights] = [new Uint32Array(documents), new Uint16Array(documents)];
  expect(lists.read(1, ordinals, weights)).toBe(documents);
  expect(ordinals.every((ordinal, at) => ordinal === at)).toBe(true);
  expect(weights.every((weight, at) => weight === 1 + (at % 9))).toBe(true);
  expect(lists.read(2 + 4_999, ordinals, weights)).toBe(documents / 5_000);
  expect([...ordinals.subarray(0, 3)]).toEqual([4_999, 9_999, 14_999]);
  expect(lists.read(1_000_000 + 777, ordinals, weights)).toBe(1);
  expect(ordinals[0]).toBe(777);
});

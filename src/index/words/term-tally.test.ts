import fc from "fast-check";
import { expect, test } from "vitest";
import { addToTally, openTally } from "./term-tally.ts";

test("lists terms in the order of their first weight, with total weight and count", () => {
  const hash = fc.oneof(
    fc.nat(7),
    fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    fc.nat(40).map((n) => 1_024 * n),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(hash, fc.integer({ min: 1, max: 9 })), { maxLength: 200 }), (given) => {
      const tally = openTally(given.length);
      const expected = new Map<number, [sum: number, times: number]>();
      for (const [term, weight] of given) {
        addToTally(tally, term, weight);
        const [sum, times] = expected.get(term) ?? [0, 0];
        expected.set(term, [sum + weight, times + 1]);
      }
      const terms = Array.from({ length: tally.size }, (_, at) => [
        tally.hashes[at],
        [tally.weights[at], tally.times[at]],
      ]);
      expect(terms).toEqual([...expected]);
    }),
  );
});

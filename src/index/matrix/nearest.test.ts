import fc from "fast-check";
import { expect, test } from "vitest";
import { Nearest } from "./nearest.ts";

const leastScore = 0.2;
const row = fc.record({
  document: fc.nat({ max: 40 }),
  score: fc.nat({ max: 30 }).map((score) => score / 30),
});
const given = fc.record({
  wanted: fc.integer({ min: 1, max: 6 }),
  turns: fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 20 }),
});

test("finds the best documents of all rows in any order, each by its best row", () => {
  fc.assert(
    fc.property(given, ({ wanted, turns }) => {
      const nearest = new Nearest(wanted, leastScore);
      for (const rows of turns)
        nearest.addAll(Float64Array.from(rows.flatMap(({ document, score }) => [document, score])));
      const best = new Map<number, number>();
      for (const { document, score } of turns.flat())
        if (score >= leastScore) best.set(document, Math.max(score, best.get(document) ?? 0));
      const expected = [...best].sort(([a, ofA], [b, ofB]) => ofB - ofA || b - a).slice(0, wanted);
      expect([...nearest.pairs()]).toEqual(expected.flat());
      expect(nearest.documents()).toEqual(expected.map(([document]) => document));
    }),
  );
});

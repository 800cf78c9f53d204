import fc from "fast-check";
import { expect, test } from "vitest";
import { BestOrdinals } from "./best-ordinals.ts";

test("keeps the ordinals that a sort puts first, the later of equals, in each search", () => {
  const best = new BestOrdinals();
  const search = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.array(fc.nat(9), { maxLength: 60 }));
  fc.assert(
    fc.property(search, ([wanted, scores]) => {
      best.begin(wanted);
      for (const [ordinal, score] of scores.entries()) if (score >= best.floor) best.add(ordinal, score);
      const sorted = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a);
      expect(new Set(best.all)).toEqual(new Set(sorted.slice(0, wanted)));
    }),
  );
});

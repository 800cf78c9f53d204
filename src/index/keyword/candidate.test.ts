import fc from "fast-check";
import { expect, test } from "vitest";
import { bestPlaces, itemsAt } from "./candidate.ts";

test("selects the best places in the order of a stable sort", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 60 }), fc.nat(20), (scores, wanted) => {
      const sorted = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
      const places = bestPlaces(scores, wanted);
      expect([...places]).toEqual(sorted.slice(0, wanted));
      expect(itemsAt(scores, places)).toEqual([...places].map((place) => scores[place]));
    }),
  );
});

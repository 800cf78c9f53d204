import fc from "fast-check";
import { expect, test } from "vitest";
import {
  dotBoundsOf,
  dotWithCoarse,
  dotWithFine,
  packedDimensions,
  planeBytesOf,
  splitIntoPlanes,
} from "./planes.ts";

const step = fc.integer({ min: -127, max: 127 });
const given = fc.integer({ min: 1, max: 4 }).chain((packs) => {
  const values = fc.array(step, { minLength: packs * packedDimensions, maxLength: packs * packedDimensions });
  return fc.record({ vector: values, query: values });
});

test("the two planes of a vector give its dot product, and the coarse one alone no less", () => {
  fc.assert(
    fc.property(given, ({ vector, query }) => {
      const asked = Int16Array.from(query);
      const [coarse, fine] = [0, 0].map(() => new Uint16Array(planeBytesOf(vector.length) / 2));
      if (coarse === undefined || fine === undefined) throw new Error("there are two planes");
      splitIntoPlanes(Int8Array.from(vector), coarse, fine);
      const words = (plane: Uint16Array) => new Int16Array(plane.buffer);
      const { offset, reach } = dotBoundsOf(asked);
      const sum = 16 * dotWithCoarse(words(coarse), asked) + offset;
      const dot = vector.reduce((total, value, at) => total + value * (query[at] ?? 0), 0);
      expect(sum + dotWithFine(words(fine), asked)).toBe(dot);
      expect(sum + reach).toBeGreaterThanOrEqual(dot);
    }),
  );
});

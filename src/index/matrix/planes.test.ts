import fc from "fast-check";
import { expect, test } from "vitest";
import { makeVectors, seededRandom } from "../vectors/vector-fixture.ts";
import {
  dotBoundsOf,
  dotWithCoarse,
  dotWithFine,
  largestValue,
  packedDimensions,
  planeBytesOf,
  splitIntoPlanes,
} from "./planes.ts";
import { quantise, strideOf } from "./quantise.ts";
import { Rotation } from "./rotation.ts";

/** Kinds of vectors. All but the first have few distinct values, so their lower bits may be far from random. */
const kinds: [string, (dimensions: number, at: number, random: () => number) => Float32Array][] = [
  [
    "all over the place",
    (dimensions, _, random) => makeVectors(1, dimensions, random)[0] ?? none(dimensions),
  ],
  ["of one value", (dimensions, at) => none(dimensions).fill(1, at % dimensions, (at % dimensions) + 1)],
  ["of two values", (dimensions, at) => none(dimensions).map((_, n) => ((n * at) % 5 < 2 ? 1 : 0))],
  ["of signs", (dimensions, _, random) => none(dimensions).map(() => (random() < 0.5 ? 1 : -1))],
];

test.each(kinds)("the coarse plane gives an upper bound of dot products of vectors %s", (_kind, make) => {
  const random = seededRandom(2);
  for (const dimensions of [1, 2, 5, 32, 64, 96, 384, 768]) {
    const stride = strideOf(dimensions);
    for (let at = 0; at < 40; at += 1) {
      const [query, other] = [make(dimensions, at, random), make(dimensions, at + 7, random)];
      const asked = encoded(query, new Int16Array(stride));
      const { offset, reach } = dotBoundsOf(asked);
      // The query itself, vectors more or less similar to it, and one that is not.
      for (const share of [0, 0.01, 0.1, 1, 100]) {
        const row = query.map((value, n) => value + share * (other[n] ?? 0));
        const code = encoded(row, new Int8Array(stride));
        const [coarse, fine] = planePair(stride);
        splitIntoPlanes(code, coarse, fine);
        const sum = 16 * dotWithCoarse(new Int16Array(coarse.buffer), asked) + offset;
        const dot = code.reduce((total, value, n) => total + value * (asked[n] ?? 0), 0);
        expect(sum + reach).toBeGreaterThanOrEqual(dot);
      }
    }
  }
});

test("the bound exceeds a vector's product with itself by less than 10 percent", () => {
  const query = encoded(makeVectors(1, 384, seededRandom(3))[0] ?? none(384), new Int16Array(384));
  const { offset, reach } = dotBoundsOf(query);
  const [coarse, fine] = planePair(384);
  splitIntoPlanes(Int8Array.from(query), coarse, fine);
  const itself = query.reduce((sum, value) => sum + value ** 2, 0);
  expect(16 * dotWithCoarse(new Int16Array(coarse.buffer), query) + offset + reach).toBeLessThan(
    1.1 * itself,
  );
});

function none(dimensions: number): Float32Array {
  return new Float32Array(dimensions);
}

/** Quantises a vector as the matrix does. */
function encoded<Code extends Int8Array | Int16Array>(vector: Float32Array, code: Code): Code {
  const turned = new Float32Array(code.length);
  turned.set(vector);
  new Rotation(code.length).turn(turned);
  quantise(turned, code);
  return code;
}

function planePair(stride: number): [Uint16Array, Uint16Array] {
  return [new Uint16Array(planeBytesOf(stride) / 2), new Uint16Array(planeBytesOf(stride) / 2)];
}

const step = fc.integer({ min: -largestValue, max: largestValue });
const given = fc.integer({ min: 1, max: 4 }).chain((packs) => {
  const values = fc.array(step, { minLength: packs * packedDimensions, maxLength: packs * packedDimensions });
  return fc.record({ vector: values, query: values });
});

test("the two planes of a vector add up to its dot product", () => {
  fc.assert(
    fc.property(given, ({ vector, query }) => {
      const asked = Int16Array.from(query);
      const [coarse, fine] = [0, 0].map(() => new Uint16Array(planeBytesOf(vector.length) / 2));
      if (coarse === undefined || fine === undefined) throw new Error("there are two planes");
      splitIntoPlanes(Int8Array.from(vector), coarse, fine);
      const words = (plane: Uint16Array) => new Int16Array(plane.buffer);
      const { offset } = dotBoundsOf(asked);
      const sum = 16 * dotWithCoarse(words(coarse), asked) + offset;
      const dot = vector.reduce((total, value, at) => total + value * (query[at] ?? 0), 0);
      expect(sum + dotWithFine(words(fine), asked)).toBe(dot);
    }),
  );
});

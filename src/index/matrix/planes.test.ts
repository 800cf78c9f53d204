import fc from "fast-check";
import { expect, test } from "vitest";
import { makeVectors, seededRandom } from "../vector-fixture.ts";
import {
  dotBoundsOf,
  dotWithCoarse,
  dotWithFine,
  packedDimensions,
  planeBytesOf,
  splitIntoPlanes,
} from "./planes.ts";
import { quantise } from "./quantise.ts";
import { Rotation } from "./rotation.ts";

const stride = 4 * packedDimensions;

test("the coarse plane tells how large a dot product can be, where dimensions are mixed", () => {
  const [query = new Float32Array(stride), ...vectors] = makeVectors(500, stride, seededRandom(2));
  // Each takes after the query, most of all in what lies below its steps.
  const rows = vectors.map((vector, at) => vector.map((value, n) => value + (at / 400) * (query[n] ?? 0)));
  // Some are nothing but one dimension, and crumbs that all go the query's way.
  for (let at = 0; at < 100; at += 1)
    rows.push(query.map((value, n) => (n === at ? 1 : Math.sign(value) * (at / 20_000))));
  const asked = new Int16Array(stride);
  encoded(query, asked);
  const { offset, reach } = dotBoundsOf(asked);
  for (const row of rows) {
    const [code, coarse, fine] = [new Int8Array(stride), ...planePair()];
    encoded(row, code);
    splitIntoPlanes(code, coarse, fine);
    const sum = 16 * dotWithCoarse(new Int16Array(coarse.buffer), asked) + offset;
    const dot = code.reduce((total, value, at) => total + value * (asked[at] ?? 0), 0);
    expect(sum + reach).toBeGreaterThanOrEqual(dot);
  }
});

function encoded(vector: Float32Array, code: Int8Array | Int16Array): void {
  const turned = Float32Array.from(vector);
  new Rotation(stride).turn(turned);
  quantise(turned, code);
}

function planePair(): [Uint16Array, Uint16Array] {
  return [new Uint16Array(planeBytesOf(stride) / 2), new Uint16Array(planeBytesOf(stride) / 2)];
}

const step = fc.integer({ min: -127, max: 127 });
const given = fc.integer({ min: 1, max: 4 }).chain((packs) => {
  const values = fc.array(step, { minLength: packs * packedDimensions, maxLength: packs * packedDimensions });
  return fc.record({ vector: values, query: values });
});

test("the two planes of a vector give its dot product", () => {
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

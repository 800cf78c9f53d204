import { expect, test } from "vitest";
import { cosine, makeVectors, seededRandom } from "../vectors/vector-fixture.ts";
import { axisOf, decompose, leastForAxis } from "./axis.ts";

const dimensions = 16;
const common = new Float32Array(dimensions).fill(1);
const vectors = makeVectors(leastForAxis, dimensions, seededRandom(3)).map((vector, at) =>
  vector.map((value) => (1 + at) * (value + 0.5)),
);

test("the axis is the direction common to all vectors, whatever their lengths", () => {
  const axis = axisOf(vectors, dimensions);
  expect(cosine(axis, common)).toBeGreaterThan(0.95);
  expect(Math.hypot(...axis)).toBeCloseTo(1);
});

test("too few vectors, or vectors that cancel each other, have no axis", () => {
  const none = new Float32Array(dimensions);
  expect(axisOf(vectors.slice(1), dimensions)).toEqual(none);
  const opposite = [common, common.map((value) => -value)];
  expect(
    axisOf(
      Array.from({ length: leastForAxis }, (_, at) => opposite[at % 2] ?? none),
      dimensions,
    ),
  ).toEqual(none);
  expect(axisOf(vectors, dimensions + 1)).toEqual(new Float32Array(dimensions + 1));
});

test("the products of the parts of two vectors add up to their cosine", () => {
  const axis = axisOf(vectors, dimensions);
  const [one = none(), other = none()] = vectors;
  const [restOfOne, restOfOther] = [none(), none()];
  const along = decompose(one, axis, restOfOne) * decompose(other, axis, restOfOther);
  const beside = restOfOne.reduce((sum, value, at) => sum + value * (restOfOther[at] ?? 0), 0);
  expect(along + beside).toBeCloseTo(cosine(one, other));
});

test("a zero, infinite or NaN vector has no parts", () => {
  for (const value of [0, Infinity, Number.NaN]) {
    const rest = new Float32Array(dimensions).fill(7);
    expect(decompose(none().fill(value), axisOf(vectors, dimensions), rest)).toBeNaN();
    expect(rest).toEqual(none());
  }
});

function none(): Float32Array {
  return new Float32Array(dimensions);
}

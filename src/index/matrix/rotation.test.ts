import { expect, test } from "vitest";
import { cosine, makeVectors, seededRandom } from "../vectors/vector-fixture.ts";
import { Rotation } from "./rotation.ts";

test.each([32, 96, 384, 1_024])("keeps the lengths and angles of vectors of %i dimensions", (dimensions) => {
  const rotation = new Rotation(dimensions);
  const vectors = makeVectors(20, dimensions, seededRandom(4));
  const turned = vectors.map((vector) => {
    const copy = Float32Array.from(vector);
    rotation.turn(copy);
    return copy;
  });
  turned.forEach((vector, at) => {
    const [before, next] = [vectors[at] ?? vector, (at + 1) % vectors.length];
    expect(Math.hypot(...vector)).toBeCloseTo(Math.hypot(...before), 3);
    expect(cosine(vector, turned[next] ?? vector)).toBeCloseTo(cosine(before, vectors[next] ?? before), 4);
    expect(cosine(vector, before)).toBeLessThan(0.9);
  });
});

test("leaves no single dimension that stands out", () => {
  for (const at of [0, 200, 383]) {
    const vector = new Float32Array(384);
    vector[at] = 1;
    new Rotation(384).turn(vector);
    expect(Math.max(...vector.map(Math.abs))).toBeLessThan(0.2);
  }
});

test("stays the same between versions, because cache files depend on it", () => {
  const vector = Float32Array.from({ length: 32 }, (_, at) => at);
  new Rotation(32).turn(vector);
  expect(Array.from(vector.subarray(0, 4), Math.round)).toEqual([-5, -6, 10, 25]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { makeVectors, seededRandom } from "../vectors/vector-fixture.ts";
import { type Axis, axisOf, decompose } from "./axis.ts";
import { javaScriptKernel, openKernel } from "./kernel.ts";
import { VectorMatrix } from "./matrix.ts";
import { quantise, strideOf } from "./quantise.ts";
import { Rotation } from "./rotation.ts";

const everywhere = { scope: { now: 0 }, minSimilarity: -1 };
const fields = {
  kind: "observation",
  projectKey: "/code/app",
  agentId: null,
  createdAt: 0,
  hiddenAfter: null,
};

interface Row {
  readonly documentId: number;
  readonly vector: Float32Array;
}

/** The best documents by the dot products of whole 8-bit vectors, computed from the definition. */
function plainScan(rows: readonly Row[], query: Float32Array, axis: Axis, wanted: number): number[] {
  const asked = codeOf(query, axis);
  const step = asked.scale || 1;
  const tilt = Math.fround(asked.along / step);
  const best = new Map<number, number>();
  for (const { documentId, vector } of rows) {
    const { values, scale, along } = codeOf(vector, axis);
    const dot = values.reduce((sum, value, at) => sum + value * (asked.values[at] ?? 0), 0);
    const beside = Math.fround(Math.fround(dot) * Math.fround(scale));
    const score = Math.fround(beside + Math.fround(Math.fround(along) * tilt));
    if (score >= Math.fround(-1.02 / step))
      best.set(documentId, Math.max(best.get(documentId) ?? -Infinity, score));
  }
  return [...best]
    .sort(([idA, a], [idB, b]) => b - a || idB - idA)
    .slice(0, wanted)
    .map(([id]) => id);
}

function codeOf(vector: Float32Array, axis: Axis): { values: Int16Array; scale: number; along: number } {
  const stride = strideOf(vector.length);
  const [values, rest] = [new Int16Array(stride), new Float32Array(stride)];
  const along = decompose(vector, axis, rest);
  new Rotation(stride).turn(rest);
  return { along, scale: quantise(rest, values), values };
}

/**
 * Shapes of vectors. `spiked`: one dimension is larger than all others; `fine`: later ones are better by lower bits.
 */
const shapes = ["random", "clustered", "twins", "spiked", "fine"] as const;

function vectorsOf(shape: (typeof shapes)[number], count: number, dimensions: number, seed: number) {
  const random = seededRandom(seed);
  const vectors = makeVectors(count, dimensions, random, shape === "clustered" ? 3 : 0);
  switch (shape) {
    case "random":
    case "clustered":
      return vectors;
    case "twins":
      return vectors.map((_, at) => vectors[at % 7] ?? new Float32Array(dimensions));
    case "spiked":
      return vectors.map((vector) => vector.map((value, at) => (at === 1 ? 40 * value : value)));
    case "fine":
      return vectors.map((vector, at) =>
        vector.map((_, dimension) =>
          dimension === 0 ? 127 : Math.floor(random() * (1 + (15 * at) / count)),
        ),
      );
  }
}

test("a scan that reads half of most vectors finds the same as a scan of all bits", async () => {
  const given = fc.record({
    shape: fc.constantFrom(...shapes),
    count: fc.integer({ min: 1, max: 3_000 }),
    dimensions: fc.constantFrom(2, 31, 32, 33, 64, 100),
    chunks: fc.integer({ min: 1, max: 3 }),
    wanted: fc.integer({ min: 1, max: 20 }),
    seed: fc.nat(),
    removed: fc.nat(9),
    sampled: fc.constantFrom(0, 250, 1_000),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ shape, count, dimensions, chunks, wanted, seed, removed, sampled }) => {
      const vectors = vectorsOf(shape, count + 1, dimensions, seed);
      const query = vectors.pop() ?? new Float32Array(dimensions);
      const rows = vectors.map((vector, at) => ({ documentId: 1 + Math.floor(at / chunks), vector }));
      const gone = (id: number) => id % 10 < removed;
      const kept = rows.filter(({ documentId }) => !gone(documentId));
      const axis = axisOf(vectors.slice(0, sampled), dimensions);
      const expected = plainScan(kept, query, axis, wanted);
      for (const kernel of [openKernel(), javaScriptKernel()]) {
        const matrix = new VectorMatrix(axis, kernel);
        for (const { documentId, vector } of rows) matrix.add({ ...fields, documentId }, vector);
        matrix.remove(rows.map(({ documentId }) => documentId).filter(gone));
        expect(matrix.count).toBe(kept.length);
        expect(await matrix.nearest({ ...everywhere, vector: query, limit: wanted })).toEqual(expected);
      }
    }),
    { numRuns: 30 },
  );
});

test("a query nearly along the axis still distinguishes rows", async () => {
  const matrix = new VectorMatrix(Float32Array.of(1, 0));
  const rows = [
    Float32Array.of(1, 0),
    Float32Array.of(1, 1),
    Float32Array.of(-1, 0.1),
    Float32Array.of(0, 1),
  ];
  rows.forEach((vector, at) => void matrix.add({ ...fields, documentId: 1 + at }, vector));
  for (const beside of [0, 1e-44, 1e-40, 1e-8])
    expect(await matrix.nearest({ ...everywhere, vector: Float32Array.of(1, beside), limit: 4 })).toEqual([
      1, 2, 4, 3,
    ]);
});

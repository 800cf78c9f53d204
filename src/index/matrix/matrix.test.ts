import fc from "fast-check";
import { expect, test } from "vitest";
import { makeVectors, seededRandom } from "../vector-fixture.ts";
import { javaScriptKernel, openKernel } from "./kernel.ts";
import { VectorMatrix } from "./matrix.ts";
import { quantise, strideOf } from "./quantise.ts";

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

/** The best documents by the dot products of whole 8-bit vectors, from the definition. */
function plainScan(rows: readonly Row[], query: Float32Array, wanted: number): number[] {
  const asked = codeOf(query);
  const best = new Map<number, number>();
  for (const { documentId, vector } of rows) {
    const { values, scale } = codeOf(vector);
    const dot = values.reduce((sum, value, at) => sum + value * (asked.values[at] ?? 0), 0);
    const score = Math.fround(Math.fround(dot) * Math.fround(scale));
    if (score >= Math.fround(-1.02 / asked.scale))
      best.set(documentId, Math.max(best.get(documentId) ?? -Infinity, score));
  }
  return [...best]
    .sort(([idA, a], [idB, b]) => b - a || idB - idA)
    .slice(0, wanted)
    .map(([id]) => id);
}

function codeOf(vector: Float32Array): { values: Int16Array; scale: number } {
  const values = new Int16Array(strideOf(vector.length));
  return { scale: quantise(vector, values), values };
}

/** All over the place, close together, one dimension above all others, later ones better by their lower bits alone. */
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

test("a scan that reads half of most vectors finds what a scan of all their bits finds", async () => {
  const given = fc.record({
    shape: fc.constantFrom(...shapes),
    count: fc.integer({ min: 1, max: 3_000 }),
    dimensions: fc.constantFrom(2, 31, 32, 33, 64, 100),
    chunks: fc.integer({ min: 1, max: 3 }),
    wanted: fc.integer({ min: 1, max: 20 }),
    seed: fc.nat(),
    removed: fc.nat(9),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ shape, count, dimensions, chunks, wanted, seed, removed }) => {
      const vectors = vectorsOf(shape, count + 1, dimensions, seed);
      const query = vectors.pop() ?? new Float32Array(dimensions);
      const rows = vectors.map((vector, at) => ({ documentId: 1 + Math.floor(at / chunks), vector }));
      const gone = (id: number) => id % 10 < removed;
      const kept = rows.filter(({ documentId }) => !gone(documentId));
      const expected = plainScan(kept, query, wanted);
      for (const kernel of [openKernel(), javaScriptKernel()]) {
        const matrix = new VectorMatrix(dimensions, kernel);
        for (const { documentId, vector } of rows) matrix.add({ ...fields, documentId }, vector);
        matrix.remove(rows.map(({ documentId }) => documentId).filter(gone));
        expect(matrix.count).toBe(kept.length);
        expect(await matrix.nearest(query, { now: 0 }, wanted, -1)).toEqual(expected);
      }
    }),
    { numRuns: 30 },
  );
}, 30_000);

import { axisOf, leastForAxis } from "../../src/index/matrix/axis.ts";
import { VectorMatrix } from "../../src/index/matrix/matrix.ts";
import { seededRandom } from "../corpus.ts";
import { type Figure, median } from "./figures.ts";

const dimensions = 384;
const centres = 200;
/** As many as a search for fifty results asks for. */
const candidates = 100;
const floor = 0.25;
const scansPerRound = 20;

const sizes: readonly { readonly rows: number; readonly target?: number }[] = [
  { rows: 10_000 },
  { rows: 100_000, target: 4 },
];
const large = { rows: 1_000_000, target: 35 };

/** Measures the vector scan in memory, and a plain scan of floats for comparison, over made-up clustered vectors. */
export async function measureVectors(rounds: number, withLarge: boolean): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of withLarge ? [...sizes, large] : sizes)
    figures.push(...(await measureSize(rounds, size)));
  return figures;
}

async function measureSize(
  rounds: number,
  { rows, target }: { rows: number; target?: number },
): Promise<Figure[]> {
  const floats = clusteredVectors(rows);
  const rowOf = (row: number) => floats.subarray(row * dimensions, (row + 1) * dimensions);
  const sample = Array.from({ length: leastForAxis }, (_, row) => rowOf(row));
  const matrix = new VectorMatrix(axisOf(sample, dimensions));
  const fields = { kind: "observation", projectKey: "/code/app", agentId: null, hiddenAfter: null };
  for (let row = 0; row < rows; row += 1)
    matrix.add({ ...fields, documentId: row + 1, createdAt: row }, rowOf(row));
  const queryOf = (number: number) => rowOf((number * 7_919) % rows);
  const scope = { now: 0, projectKeys: ["/code/app"] };
  const [inMemory, inFloats]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    inMemory.push(
      await medianMs((at) =>
        matrix.nearest({ vector: queryOf(at), scope, limit: candidates, minSimilarity: floor }),
      ),
    );
    inFloats.push(await medianMs(async (at) => plainScan(floats, queryOf(at))));
  }
  const section = `${rows.toLocaleString("en")} vectors of ${dimensions} dimensions`;
  return [
    { section, name: "scan p50", unit: "ms", rounds: inMemory, ...(target === undefined ? {} : { target }) },
    { section, name: "plain scan of floats p50", unit: "ms", rounds: inFloats },
  ];
}

async function medianMs(scan: (at: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < scansPerRound; at += 1) {
    const startedAt = performance.now();
    await scan(at);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Made-up unit vectors around some centres, one after another in one array. */
function clusteredVectors(rows: number): Float32Array {
  const random = seededRandom(1);
  // Normally distributed numbers come from a table, which is faster: a million vectors need very many.
  const normal = Float32Array.from(
    { length: 65_536 },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
  const draw = () => normal[Math.floor(random() * normal.length)] ?? 0;
  const middles = Float32Array.from({ length: centres * dimensions }, draw);
  const floats = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row += 1) {
    const middle = Math.floor(random() * centres) * dimensions;
    const vector = floats.subarray(row * dimensions, (row + 1) * dimensions);
    for (let at = 0; at < dimensions; at += 1) vector[at] = (middles[middle + at] ?? 0) + 0.8 * draw();
    const length = Math.hypot(...vector);
    for (let at = 0; at < dimensions; at += 1) vector[at] = (vector[at] ?? 0) / length;
  }
  return floats;
}

/** The naive scan: computes all cosines and keeps the best. */
function plainScan(floats: Float32Array, query: Float32Array): number[] {
  const found: { row: number; score: number }[] = [];
  let least = floor;
  for (let row = 0; row * dimensions < floats.length; row += 1) {
    let score = 0;
    const start = row * dimensions;
    for (let at = 0; at < dimensions; at += 1) score += (floats[start + at] ?? 0) * (query[at] ?? 0);
    if (score < least) continue;
    found.push({ row, score });
    if (found.length < 8 * candidates) continue;
    found.sort((a, b) => b.score - a.score).length = candidates;
    least = found.at(-1)?.score ?? least;
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, candidates)
    .map(({ row }) => row);
}

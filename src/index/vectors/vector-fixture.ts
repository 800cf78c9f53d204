import { type DocumentInput, putDocument } from "../documents/documents.ts";
import { makeDocument, type TestIndex } from "../index-fixture.ts";
import { storeVectors } from "./vectors.ts";

/** For tests: a generator of numbers from 0 to 1, always the same for a seed. */
export function seededRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** For tests: vectors in random directions, or clustered around a few centres. */
export function makeVectors(
  count: number,
  dimensions: number,
  random: () => number,
  centres = 0,
): Float32Array[] {
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const point = () => Float32Array.from({ length: dimensions }, gauss);
  const middles = Array.from({ length: centres }, point);
  return Array.from({ length: count }, () => {
    const middle = middles[Math.floor(random() * centres)];
    return middle === undefined ? point() : middle.map((value) => value + 0.3 * gauss());
  });
}

/** For tests: the cosine in double precision. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let at = 0; at < a.length; at += 1) {
    const [x = 0, y = 0] = [a[at], b[at]];
    dot += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return dot / Math.sqrt(squaresA * squaresB);
}

export interface VectorDocument extends Partial<DocumentInput> {
  readonly ref: string;
  readonly chunks: readonly Float32Array[];
}

/** For tests: writes documents with their vectors; returns the ids of the documents. */
export function putVectors(
  index: TestIndex,
  fingerprint: string,
  documents: readonly VectorDocument[],
): Promise<number[]> {
  return index.together(() => putOneByOne(index, fingerprint, documents));
}

async function putOneByOne(
  { sql }: TestIndex,
  fingerprint: string,
  documents: readonly VectorDocument[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const { chunks, ...document } of documents) {
    const made = makeDocument(document);
    await putDocument(sql, made);
    const [row] = await sql.all<{ id: number }>("SELECT id FROM documents WHERE kind = ? AND ref = ?", [
      made.kind,
      made.ref,
    ]);
    if (row === undefined) throw new Error("the document was not written");
    await storeVectors(sql, fingerprint, [{ id: row.id, chunks }]);
    ids.push(row.id);
  }
  return ids;
}

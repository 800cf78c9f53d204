import { type ForwardIndex, fieldNames, type PerField, weightedFrequency } from "../words/forward.ts";

/** How much a word counts in each field, against once in the body. */
export const fieldWeights: PerField<number> = { title: 2, concepts: 1.25, files: 1.5, body: 1 };
/** Every weighted frequency is a multiple of it. */
export const weightUnit = 0.25;

/** What a repeated word adds, and how much a long document pays for its length. */
const k1 = 1.2;
const b = 0.75;

/**
 * How much a term tells: ln(1 + (N − n + ½) / (n + ½)) for a term in n of N documents. Never negative, and so
 * also right for a term that is in most documents of a tiny store.
 */
export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  const without = Math.max(0, documents - documentFrequency);
  return Math.log(1 + (without + 0.5) / (documentFrequency + 0.5));
}

/** Sum over the fields of their length times their weight. */
export function weightedLength(lengths: PerField<number>): number {
  let sum = 0;
  for (const field of fieldNames) sum += lengths[field] * fieldWeights[field];
  return sum;
}

/** What a document's length makes of its occurrences. Both lengths are weighted. */
export function saturationOf(length: number, averageLength: number): number {
  const relativeLength = averageLength > 0 ? length / averageLength : 1;
  return k1 * (1 - b + b * relativeLength);
}

/**
 * BM25F of one term in one document, to be multiplied by what the term tells: field frequencies and lengths are
 * weighted and added first, then saturated once, as wink-bm25-text-search does.
 */
export function termShare(document: ForwardIndex, hash: number, saturation: number): number {
  return saturated(weightedFrequency(document, hash, fieldWeights), saturation);
}

/** A weighted number of occurrences, each adding less than the one before, up to k1 + 1. */
export function saturated(occurrences: number, saturation: number = k1): number {
  return (occurrences * (k1 + 1)) / (saturation + occurrences);
}

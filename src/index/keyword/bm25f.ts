import { type ForwardIndex, fieldNames, type PerField, weightedFrequency } from "../words/forward.ts";

/** The weight of an occurrence in each field. */
export const fieldWeights: PerField<number> = { title: 2, concepts: 1.25, files: 1.5, body: 1 };
/** Every weighted frequency is a multiple of this. */
export const weightUnit = 0.25;

/** The usual parameters of BM25: saturation of repeated words, and normalisation by length. */
const k1 = 1.2;
const b = 0.75;

/**
 * Inverse document frequency, how much a term tells: ln(1 + (N − n + ½) / (n + ½)) for a term in n of N documents.
 * Never negative, not even for a term in most documents of a tiny store.
 */
export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  const without = Math.max(0, documents - documentFrequency);
  return Math.log(1 + (without + 0.5) / (documentFrequency + 0.5));
}

/** The sum of the lengths of the fields, each times its weight. */
export function weightedLength(lengths: PerField<number>): number {
  let sum = 0;
  for (const field of fieldNames) sum += lengths[field] * fieldWeights[field];
  return sum;
}

/** The summand in BM25's denominator that depends on a document's length. Both lengths are weighted. */
export function saturationOf(length: number, averageLength: number): number {
  const relativeLength = averageLength > 0 ? length / averageLength : 1;
  return k1 * (1 - b + b * relativeLength);
}

/**
 * BM25F of one term in one document, still to be multiplied by the term's inverse document frequency. The frequencies
 * in the fields are weighted and added first, then saturated once, as wink-bm25-text-search does.
 */
export function termShare(document: ForwardIndex, hash: number, saturation: number): number {
  return saturated(weightedFrequency(document, hash, fieldWeights), saturation);
}

/** Saturates a weighted number of occurrences: each adds less than the one before, and the result is below k1 + 1. */
export function saturated(occurrences: number, saturation: number = k1): number {
  return (occurrences * (k1 + 1)) / (saturation + occurrences);
}

import { type FieldName, type ForwardIndex, fieldNames, type PerField } from "./forward.ts";

/** How much a word counts in each field, against once in the body. */
export const fieldWeights: PerField<number> = { title: 2.5, concepts: 2, files: 1.5, body: 1 };

/** What a repeated word adds, and how much a long document pays for its length. */
const k1 = 1.2;
const b = 0.75;

export interface WeightedTerm {
  readonly hash: number;
  readonly weight: number;
}

/**
 * How much a term tells: ln(1 + (N − n + ½) / (n + ½)) for a term in n of N documents. Never negative, and so
 * also right for a term that is in most documents of a tiny store.
 */
export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  const without = Math.max(0, documents - documentFrequency);
  return Math.log(1 + (without + 0.5) / (documentFrequency + 0.5));
}

/** Sum over the fields of their length times their weight. */
export function weightedLength(lengths: PerField<number>, weights: PerField<number> = fieldWeights): number {
  return sumOverFields((field) => lengths[field] * weights[field]);
}

/**
 * BM25F of one document: field frequencies and lengths are weighted and added first, then saturated once, as
 * wink-bm25-text-search does. `averageLength` is weighted too. 0 when no term stands in the document.
 */
export function bm25f(
  document: ForwardIndex,
  terms: readonly WeightedTerm[],
  averageLength: number,
  weights: PerField<number> = fieldWeights,
): number {
  const relativeLength = averageLength > 0 ? weightedLength(document.lengths, weights) / averageLength : 1;
  const saturation = k1 * (1 - b + b * relativeLength);
  let score = 0;
  for (const { hash, weight } of terms) {
    const frequency = document.frequency(hash);
    if (frequency === undefined) continue;
    const weighted = weightedLength(frequency, weights);
    score += (weight * weighted * (k1 + 1)) / (saturation + weighted);
  }
  return score;
}

function sumOverFields(value: (field: FieldName) => number): number {
  let sum = 0;
  for (const field of fieldNames) sum += value(field);
  return sum;
}

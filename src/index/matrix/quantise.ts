import { largestValue, packedDimensions } from "./planes.ts";

/** The number of dimensions including padding. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / packedDimensions) * packedDimensions;
}

/** Quantises a vector to 8 bits per dimension. Returns the step, which depends on its largest value; 0 for zeros. */
export function quantise(vector: Float32Array, into: Int8Array | Int16Array): number {
  let largest = 0;
  for (let at = 0; at < vector.length; at += 1) largest = Math.max(largest, Math.abs(vector[at] ?? 0));
  into.fill(0);
  if (largest === 0) return 0;
  const step = largest / largestValue;
  for (let at = 0; at < vector.length; at += 1) into[at] = Math.round((vector[at] ?? 0) / step);
  return step;
}

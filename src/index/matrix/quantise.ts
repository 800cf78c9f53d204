import { packedDimensions } from "./planes.ts";

/** The largest value that a dimension is given: the same on both sides of zero. */
const steps = 127;

/** Dimensions with their padding. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / packedDimensions) * packedDimensions;
}

/**
 * Writes a vector's direction in 8 bits a dimension, each vector in steps of its own size. Returns what to multiply
 * with to get cosines from dot products: the step over the vector's length; NaN for a vector without a direction.
 */
export function quantise(vector: Float32Array, into: Int8Array | Int16Array): number {
  let largest = 0;
  let squares = 0;
  for (let at = 0; at < vector.length; at += 1) {
    const value = vector[at] ?? 0;
    squares += value * value;
    if (value > largest) largest = value;
    else if (-value > largest) largest = -value;
  }
  into.fill(0);
  if (!(squares > 0 && squares < Infinity)) return Number.NaN;
  const step = largest / steps;
  for (let at = 0; at < vector.length; at += 1) into[at] = Math.round((vector[at] ?? 0) / step);
  return step / Math.sqrt(squares);
}

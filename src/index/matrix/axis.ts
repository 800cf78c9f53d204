/**
 * The direction that vectors of one model have in common: texts without a shared word are alike, too. What lies along it
 * says little and is kept as one number a vector; the few bits of each dimension are left to the rest, in which vectors
 * differ. With any axis the cosines come out right, with this one their steps are finest and their bounds closest.
 *
 * It is of length 1, or zeros: then all of a vector is rest.
 */
export type Axis = Float32Array;

/** Fewer vectors say too little of others, and an axis of one alone would be that vector. */
export const leastForAxis = 250;

/** The common direction of vectors of so many dimensions; others are passed over. */
export function axisOf(vectors: readonly Float32Array[], dimensions: number): Axis {
  const [sum, axis] = [new Float32Array(dimensions), new Float32Array(dimensions)];
  if (vectors.length < leastForAxis) return axis;
  for (const vector of vectors) {
    const length = lengthOf(vector);
    if (vector.length === dimensions && isDirected(length)) addTo(sum, vector, 1 / length);
  }
  const length = lengthOf(sum);
  if (isDirected(length)) addTo(axis, sum, 1 / length);
  return axis;
}

/** Whether there is one. */
export function hasDirection(axis: Axis | readonly number[]): boolean {
  return axis.some((part) => part !== 0);
}

/**
 * Writes what a vector has beside the axis, in parts of its length. Returns how much it has along it; for a vector without
 * a direction NaN, beside zeros.
 */
export function decompose(vector: Float32Array, axis: Axis, rest: Float32Array): number {
  const length = lengthOf(vector);
  rest.fill(0);
  if (!isDirected(length)) return Number.NaN;
  let along = 0;
  for (let at = 0; at < vector.length; at += 1) along += ((vector[at] ?? 0) / length) * (axis[at] ?? 0);
  addTo(rest, vector, 1 / length);
  addTo(rest, axis, -along);
  return along;
}

function addTo(sum: Float32Array, vector: Float32Array, times: number): void {
  for (let at = 0; at < vector.length; at += 1) sum[at] = (sum[at] ?? 0) + times * (vector[at] ?? 0);
}

function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (let at = 0; at < vector.length; at += 1) squares += (vector[at] ?? 0) ** 2;
  return Math.sqrt(squares);
}

function isDirected(length: number): boolean {
  return length > 0 && length < Infinity;
}

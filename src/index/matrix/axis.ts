/**
 * The direction that all vectors of a model have in common: even vectors of texts without a shared word are similar.
 * The component along this axis says little and is kept as one number per vector; only the rest, in which vectors
 * differ, is quantised to 8 bits per dimension. Cosines come out right with any axis; this one gives the smallest
 * quantisation error and the tightest bounds.
 *
 * An axis has length 1 or is zero; if it is zero, the rest is the whole vector.
 */
export type Axis = Float32Array;

/** Fewer vectors say too little about others: the axis of a single vector would be that vector. */
export const leastForAxis = 250;

/** The common direction of vectors. Those of another number of dimensions are skipped. */
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

/** Whether an axis is not zero. */
export function hasDirection(axis: Axis | readonly number[]): boolean {
  return axis.some((part) => part !== 0);
}

/**
 * Scales a vector to length 1 and splits it: returns its component along the axis and writes the remainder to `rest`.
 * For a vector without a direction, it returns NaN and writes zeros.
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

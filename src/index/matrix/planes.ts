/*
 * A vector of 8 bits a dimension lies in two halves: the upper four bits of every dimension in the coarse plane, the
 * lower four in the fine one. A scan reads the coarse plane of every row, which says how large a dot product with
 * the query can be at the most, and the fine plane of those rows alone that could still count. So a large matrix is
 * read at half its size, and what is found is what a scan of all bits finds.
 *
 * With value = 16 · (upper − 8) + lower, where upper and lower are 0 to 15, and offset = −128 · Σ query:
 *
 *   dot = 16 · Σ query · upper + Σ query · lower + offset
 *
 * and Σ query · lower is at most 15 times the sum of the query's positive values.
 *
 * 32 dimensions are eight 16-bit numbers, each with the nibbles of dimensions d, d + 8, d + 16 and d + 24, the first of
 * them lowest.
 */

const lanes = 8;
/** Dimensions that are packed together; rows are padded with zeros to whole ones. */
export const packedDimensions = 32;

/** How many bytes each plane takes for a vector of so many dimensions, a multiple of `packedDimensions`. */
export function planeBytesOf(stride: number): number {
  return stride / 2;
}

/** Splits a vector of whole packs. */
export function splitIntoPlanes(values: Int8Array, coarse: Uint16Array, fine: Uint16Array): void {
  for (let lane = 0; lane < coarse.length; lane += 1) {
    const first = Math.floor(lane / lanes) * packedDimensions + (lane % lanes);
    let [upper, lower] = [0, 0];
    for (let nibble = 3; nibble >= 0; nibble -= 1) {
      const value = (values[first + nibble * lanes] ?? 0) + 128;
      upper = (upper << 4) | (value >> 4);
      lower = (lower << 4) | (value & 15);
    }
    coarse[lane] = upper;
    fine[lane] = lower;
  }
}

/** What the dot products of one query have in common. */
export interface DotBounds {
  readonly offset: number;
  /** What the fine plane may add at the most. */
  readonly reach: number;
}

export function dotBoundsOf(query: Int16Array): DotBounds {
  let [sum, positive] = [0, 0];
  for (const value of query) {
    sum += value;
    if (value > 0) positive += value;
  }
  return { offset: -128 * sum, reach: 15 * positive };
}

/** Σ query · nibble over one row of a plane. */
export function dotWithNibbles(plane: Uint16Array, query: Int16Array): number {
  let sum = 0;
  for (let lane = 0; lane < plane.length; lane += 1) {
    const nibbles = plane[lane] ?? 0;
    const first = Math.floor(lane / lanes) * packedDimensions + (lane % lanes);
    for (let nibble = 0; nibble < 4; nibble += 1) {
      sum += ((nibbles >> (4 * nibble)) & 15) * (query[first + nibble * lanes] ?? 0);
    }
  }
  return sum;
}

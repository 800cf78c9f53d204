/*
 * A quantised vector of 8 bits per dimension is stored in two halves: the upper four bits of every dimension in the
 * coarse plane, the lower four in the fine plane. The coarse plane gives an upper bound of the dot product with the
 * query; the fine plane is only read of rows whose bound reaches the floor. So little more than half of a large matrix
 * is read, and the result is that of a scan of all bits, except for at most one row in a billion.
 *
 * A pseudo-random shift from −8 to 7, which depends on the dimension, is added to each value. So the lower four bits
 * are random whatever the vectors are. Without shifts, the lower bits of sparse vectors, which have few distinct
 * values, could all add to the dot product.
 *
 * 32 dimensions take eight 16-bit words in each plane. The words for the dimensions a = d, b = d + 8, c = d + 16 and
 * e = d + 24 are, with the lowest nibble first, and U and L for the upper and lower four bits of value + shift + 128:
 *
 *   coarse   Ua Ub Uc Ue        fine   Lb Lc Le La
 *
 * The fine word is rotated by a nibble, so that exchanging every other nibble of the two words gives whole values
 * again: x = Lb Ub Le Ue and y = Ua Lc Uc La, where only the halves of a are apart. Words are signed numbers, so 8 is
 * subtracted from their highest nibbles. With offset = Σ query · ((−120 for a, −128 for b and c, 0 for e) − shift):
 *
 *   dot = 16 · Σ query · coarse nibble + Σ query · fine nibble + offset
 *
 * Whole words can be multiplied, without masking out single values, if the query's values compensate for the higher
 * nibbles of each word. Such combinations of the query's values are called its mixtures:
 *
 *   dot = x · b + (x >> 8) · (e − 256 b) + y · 16 a + (y >> 4) · (c − 256 a) + (y >> 12) · (a − 256 c) + offset
 *
 * and with w for a word of the coarse plane:
 *
 *   Σ query · coarse nibble = w · a + (w >> 4) · (b − 16 a) + (w >> 8) · (c − 16 b) + (w >> 12) · (e − 16 c)
 */

const lanes = 8;
/** Dimensions that are packed together. Vectors are padded with zeros to a multiple of it. */
export const packedDimensions = 32;
/** The largest absolute value that fits into 8 bits with any shift. */
export const largestValue = 119;

/** Bytes per plane of a vector of `stride` dimensions, a multiple of `packedDimensions`. */
export function planeBytesOf(stride: number): number {
  return stride / 2;
}

/** Splits a padded vector, whose absolute values are at most `largestValue`. */
export function splitIntoPlanes(values: Int8Array, coarse: Uint16Array, fine: Uint16Array): void {
  for (let lane = 0; lane < coarse.length; lane += 1) {
    const first = firstOf(lane);
    let [upper, lower] = [0, 0];
    for (let nibble = 3; nibble >= 0; nibble -= 1) {
      const dimension = first + nibble * lanes;
      const value = (values[dimension] ?? 0) + shiftOf(dimension) + 128;
      upper = (upper << 4) | (value >> 4);
      lower = (lower << 4) | (value & 15);
    }
    coarse[lane] = upper ^ highestBit;
    fine[lane] = (((lower & 15) << 12) | (lower >> 4)) ^ highestBit;
  }
}

/** Flipping this bit subtracts 8 from the highest nibble of a signed word. */
const highestBit = 0x8000;

/** The first of the four dimensions in a word. */
function firstOf(lane: number): number {
  return Math.floor(lane / lanes) * packedDimensions + (lane % lanes);
}

/** The pseudo-random shift of a dimension, −8 to 7: its number, hashed with MurmurHash3's finaliser. */
function shiftOf(dimension: number): number {
  let bits = Math.imul(dimension + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 28) - 8;
}

/** Numbers for the dot products of a query with any row. */
export interface DotBounds {
  readonly offset: number;
  /** The most that the fine plane adds to a dot product, except for less than one vector in a billion. */
  readonly reach: number;
}

/**
 * The fine plane adds a sum of many small numbers, each of which is random because of its dimension's shift. So the sum
 * is about normally distributed around its mean, and `reach` is six standard deviations above that; or the largest
 * possible sum, if that is less, as with few dimensions.
 */
export function dotBoundsOf(query: Int16Array): DotBounds {
  let [offset, middle, most, squares] = [0, 0, 0, 0];
  query.forEach((value, at) => {
    const nibble = Math.floor(at / lanes) % 4;
    offset -= value * ((nibble === 0 ? 120 : nibble === 3 ? 0 : 128) + shiftOf(at));
    middle += 7.5 * value - (nibble === 0 ? 8 * value : 0);
    most += 7.5 * Math.abs(value);
    squares += value ** 2;
  });
  return {
    offset,
    reach: Math.ceil(middle + Math.min(most, deviations * nibbleDeviation * Math.sqrt(squares))),
  };
}

/** The standard deviation of a uniformly distributed whole number from 0 to 15. */
const nibbleDeviation = Math.sqrt((16 ** 2 - 1) / 12);
/** Less than one normally distributed sum in a billion exceeds its mean by more. */
const deviations = 6;

/** The parts of a query: its values, its mixtures for coarse words, and its mixtures for whole values. */
export const queryParts = 3;

/** Computes the parts of a query. Each has four numbers for four values, in the order of the formulas above. */
export function withMixtures(query: Int16Array): Int16Array {
  const all = new Int16Array(queryParts * query.length);
  all.set(query);
  for (let lane = 0; lane < query.length / 4; lane += 1) {
    const first = firstOf(lane);
    const [a = 0, b = 0, c = 0, e = 0] = [0, 1, 2, 3].map((nibble) => query[first + nibble * lanes] ?? 0);
    const ofCoarse = [a, b - 16 * a, c - 16 * b, e - 16 * c];
    const ofWhole = [e - 256 * b, 16 * a, c - 256 * a, a - 256 * c];
    [ofCoarse, ofWhole].forEach((mixtures, part) => {
      mixtures.forEach((mixture, at) => {
        all[(1 + part) * query.length + first + at * lanes] = mixture;
      });
    });
  }
  return all;
}

/** Σ query · nibble over one row of the coarse plane. */
export function dotWithCoarse(plane: Int16Array, query: Int16Array): number {
  return dotWithNibbles(plane, query, 0);
}

/** Σ query · nibble over one row of the fine plane. */
export function dotWithFine(plane: Int16Array, query: Int16Array): number {
  return dotWithNibbles(plane, query, 1);
}

function dotWithNibbles(plane: Int16Array, query: Int16Array, turned: number): number {
  let sum = 0;
  for (let lane = 0; lane < plane.length; lane += 1) {
    const word = plane[lane] ?? 0;
    const first = firstOf(lane);
    for (let nibble = 0; nibble < 4; nibble += 1) {
      const value = nibble === 3 ? word >> 12 : (word >> (4 * nibble)) & 15;
      sum += value * (query[first + ((nibble + turned) % 4) * lanes] ?? 0);
    }
  }
  return sum;
}

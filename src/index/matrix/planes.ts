/*
 * A vector of 8 bits a dimension lies in two halves: the upper four bits of every dimension in the coarse plane, the
 * lower four in the fine one. A scan can read the coarse plane alone, which says how large a dot product with the query
 * can be at the most, and the fine plane of those rows alone that could still count. So a large matrix is read at half
 * its size, and what is found is what a scan of all bits finds, but for one row in a billion at the most.
 *
 * Values are kept with a shift added that belongs to their dimension, from −8 to 7 by chance. So what is in the lower four
 * bits is chance, too, whatever the vectors: sparse ones have few values, whose lower bits would all go the query's way.
 *
 * 32 dimensions are eight 16-bit words in each plane. Those of dimensions a = d, b = d + 8, c = d + 16 and e = d + 24
 * are, with their lowest nibbles first, and U and L for the upper and lower four bits of a value + its shift + 128:
 *
 *   coarse   Ua Ub Uc Ue        fine   Lb Lc Le La
 *
 * The fine one is turned by a nibble, so that both together are whole values again when every other nibble changes
 * places: Lb Ub Le Ue and Ua Lc Uc La, of which only a's has its halves apart. Words are signed numbers, and their
 * highest nibbles are kept 8 less. So, with offset = Σ query · ((−120 for a, −128 for b and c, 0 for e) − shift):
 *
 *   dot = 16 · Σ query · coarse nibble + Σ query · fine nibble + offset
 *
 * A sum of products of whole words needs nothing masked out of them, if the query's values make up for what lies above
 * each value in its word. Those are its mixtures; with x and y for the two words of whole values:
 *
 *   dot = x · b + (x >> 8) · (e − 256 b) + y · 16 a + (y >> 4) · (c − 256 a) + (y >> 12) · (a − 256 c) + offset
 *
 * and with w for a word of the coarse plane:
 *
 *   Σ query · coarse nibble = w · a + (w >> 4) · (b − 16 a) + (w >> 8) · (c − 16 b) + (w >> 12) · (e − 16 c)
 */

const lanes = 8;
/** Dimensions that are packed together; rows are padded with zeros to whole ones. */
export const packedDimensions = 32;
/** The largest value that fits with its shift: the same on both sides of zero. */
export const largestValue = 119;

/** How many bytes each plane takes for a vector of so many dimensions, a multiple of `packedDimensions`. */
export function planeBytesOf(stride: number): number {
  return stride / 2;
}

/** Splits a vector of whole packs, whose values are no larger than `largestValue`. */
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

/** Takes 8 of a word's highest nibble, where the word is signed. */
const highestBit = 0x8000;

/** The first of the dimensions of a word. */
function firstOf(lane: number): number {
  return Math.floor(lane / lanes) * packedDimensions + (lane % lanes);
}

/** From −8 to 7, as if by chance: the bits of a dimension's number, mixed as MurmurHash3 does at its end. */
function shiftOf(dimension: number): number {
  let bits = Math.imul(dimension + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 28) - 8;
}

/** What the dot products of one query have in common. */
export interface DotBounds {
  readonly offset: number;
  /** What the fine plane may add at the most, but for less than one vector in a billion. */
  readonly reach: number;
}

/**
 * What the fine plane adds is a sum of many small parts, each by the chance of its dimension's shift: it lies about their
 * middle as sums of chances do. Where there are few dimensions, all that it can add may be less.
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

/** The standard deviation of whole numbers from 0 to 15. */
const nibbleDeviation = Math.sqrt((16 ** 2 - 1) / 12);
/** More happen to less than one sum in a billion. */
const deviations = 6;

/** The query's values, then its mixtures for coarse words, and those for whole ones. */
export const queryParts = 3;

/** The parts of a query: each has four numbers for four values, in the order of the formulas above. */
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

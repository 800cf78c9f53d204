/**
 * Turns vectors of so many dimensions, all in the same way: lengths and dot products stay, but no dimension stands out any
 * more. So the steps of eight bits fit them all.
 *
 * Signs change at random, then whole powers of two of dimensions are mixed by the Walsh-Hadamard transform, first those at
 * the beginning, then those at the end.
 */
export class Rotation {
  readonly #mixed: number;
  /** A row of 1 and −1 for each of the two mixings. */
  readonly #signs: readonly Float32Array[];

  /** The number of dimensions is not 0. */
  constructor(dimensions: number) {
    this.#mixed = 2 ** Math.floor(Math.log2(dimensions));
    this.#signs = [1, 2].map((seed) => randomSigns(dimensions, seed));
  }

  /** Turns a vector in place. */
  turn(vector: Float32Array): void {
    const mixed = this.#mixed;
    this.#signs.forEach((signs, round) => {
      for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) * (signs[at] ?? 1);
      mix(round === 0 ? vector.subarray(0, mixed) : vector.subarray(vector.length - mixed));
    });
  }
}

/** The same at every start, as the cache file needs it: the lowest bits of a 32-bit xorshift. */
function randomSigns(count: number, seed: number): Float32Array {
  let state = Math.imul(seed, 0x9e3779b9);
  return Float32Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state & 1) === 0 ? 1 : -1;
  });
}

/** The Walsh-Hadamard transform of a power of two of values, which leaves their length as it was. */
function mix(values: Float32Array): void {
  const { length } = values;
  for (let width = 1; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      for (let at = start; at < start + width; at += 1) {
        const [a, b] = [values[at] ?? 0, values[at + width] ?? 0];
        values[at] = a + b;
        values[at + width] = a - b;
      }
    }
  }
  const scale = 1 / Math.sqrt(length);
  for (let at = 0; at < length; at += 1) values[at] = (values[at] ?? 0) * scale;
}

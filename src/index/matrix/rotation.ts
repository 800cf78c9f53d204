/**
 * Applies the same random rotation to all vectors. Lengths and dot products stay the same, but afterwards no dimension
 * is much larger than the others, so that one quantisation step suits all dimensions.
 *
 * There are two rounds. Each multiplies the dimensions by random signs and then applies the Walsh-Hadamard transform to
 * a power of two of them: the first round to those at the beginning, the second to those at the end.
 */
export class Rotation {
  readonly #mixed: number;
  /** The signs, 1 or −1, of each of the two rounds. */
  readonly #signs: readonly Float32Array[];

  /** `dimensions` must not be 0. */
  constructor(dimensions: number) {
    this.#mixed = 2 ** Math.floor(Math.log2(dimensions));
    this.#signs = [1, 2].map((seed) => randomSigns(dimensions, seed));
  }

  /** Rotates a vector in place. */
  turn(vector: Float32Array): void {
    const mixed = this.#mixed;
    this.#signs.forEach((signs, round) => {
      for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) * (signs[at] ?? 1);
      mix(round === 0 ? vector.subarray(0, mixed) : vector.subarray(vector.length - mixed));
    });
  }
}

/** Always the same for a seed, because cache files depend on it: the lowest bits of a 32-bit xorshift generator. */
function randomSigns(count: number, seed: number): Float32Array {
  let state = Math.imul(seed, 0x9e3779b9);
  return Float32Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state & 1) === 0 ? 1 : -1;
  });
}

/** The orthonormal Walsh-Hadamard transform, in place. The number of values must be a power of two. */
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

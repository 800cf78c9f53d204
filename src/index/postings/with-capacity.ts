type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** The array itself if it is large enough, else a larger copy, with spare room so that growing one by one is cheap. */
export function withCapacity<T extends Numbers>(numbers: T, needed: number): T {
  if (numbers.length >= needed) return numbers;
  const Kind = numbers.constructor as new (length: number) => T;
  const larger = new Kind(Math.max(needed, Math.ceil(1.25 * numbers.length), leastRoom));
  larger.set(numbers);
  return larger;
}

const leastRoom = 64;

/** The vector scaled to length 1; undefined when it has no direction. */
export function unitVector(values: ArrayLike<number>): Float32Array | undefined {
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) squares += (values[index] ?? 0) ** 2;
  if (!(squares > 0) || squares === Number.POSITIVE_INFINITY) return undefined;
  const scale = 1 / Math.sqrt(squares);
  return Float32Array.from(values, (value) => value * scale);
}

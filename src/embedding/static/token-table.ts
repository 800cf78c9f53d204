/** Vectors of tokens, as they lie in a file: rows of numbers, of which a text's mean is taken. */
export interface TokenTable {
  readonly dimensions: number;
  readonly values: Float32Array | Int8Array;
  /** What each row is multiplied by; 1 where there is none. */
  readonly scales: Float32Array | undefined;
  /** Row of each token where several share one. */
  readonly rowOf: Int32Array | undefined;
  /** How much each token counts in the mean; the same where there is none. */
  readonly weights: Float32Array | undefined;
}

/** The mean of the tokens' vectors, not yet at length 1. */
export function meanOf(table: TokenTable, tokens: readonly number[]): Float64Array {
  const { dimensions, values, scales, rowOf, weights } = table;
  const sum = new Float64Array(dimensions);
  for (const token of tokens) {
    const row = rowOf?.[token] ?? token;
    const scale = (scales?.[row] ?? 1) * (weights?.[token] ?? 1);
    const start = row * dimensions;
    for (let index = 0; index < dimensions; index += 1)
      sum[index] = (sum[index] ?? 0) + (values[start + index] ?? 0) * scale;
  }
  return sum.map((value) => value / tokens.length);
}

/** Vectors of tokens as the file stores them, one row each; a text's vector is their mean. */
export interface TokenTable {
  readonly dimensions: number;
  readonly values: Float32Array | Int8Array;
  /** Factor of each row; undefined stands for 1. */
  readonly scales: Float32Array | undefined;
  /** Row of each token, when several tokens share a row. */
  readonly rowOf: Int32Array | undefined;
  /** Weight of each token in the mean; undefined stands for equal weights. */
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

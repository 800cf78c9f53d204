import type { TokenTable } from "./token-table.ts";

/**
 * Reads a table with one byte per number, little endian: `GGE1`, uint32 number of tokens, uint32 dimensions, a float32
 * scale for each token, int8 values. The texts of the tokens, which follow, are not read: `tokenizer.json` has them.
 */
export function readQuantisedTable(file: Buffer): TokenTable {
  if (file.toString("latin1", 0, 4) !== "GGE1") throw new Error("the file does not begin with GGE1");
  const tokens = file.readUInt32LE(4);
  const dimensions = file.readUInt32LE(8);
  const scalesEnd = 12 + 4 * tokens;
  const end = scalesEnd + tokens * dimensions;
  if (end > file.length) throw new Error("the file is shorter than its header says");
  const bytes = file.buffer.slice(file.byteOffset + 12, file.byteOffset + end);
  return {
    dimensions,
    values: new Int8Array(bytes, 4 * tokens),
    scales: new Float32Array(bytes, 0, tokens),
    rowOf: undefined,
    weights: undefined,
  };
}

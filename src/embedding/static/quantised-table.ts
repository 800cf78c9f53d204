import type { TokenTable } from "./token-table.ts";

/**
 * Reads a table of one byte a number, little endian: `GGE1`, uint32 tokens, uint32 dimensions, float32 scale of each
 * token, int8 numbers. The tokens' texts that follow are those of `tokenizer.json`.
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

import * as z from "zod";
import type { TokenTable } from "./token-table.ts";

const Header = z.record(
  z.string(),
  z.object({
    dtype: z.string(),
    shape: z.array(z.number().int().nonnegative()),
    data_offsets: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]),
  }),
);
type Entry = z.infer<typeof Header>[string];

/** Reads a table as Model2Vec publishes it: `embeddings`, and for reduced vocabularies `mapping` and `weights`. */
export function readSafetensors(file: Buffer): TokenTable {
  const headerLength = Number(file.readBigUInt64LE(0));
  if (headerLength > file.length - 8) throw new Error("the file ends inside its header");
  const { __metadata__: _, ...entries } = JSON.parse(file.toString("utf8", 8, 8 + headerLength)) as Record<
    string,
    unknown
  >;
  const header = Header.parse(entries);
  const bytesOf = ({ data_offsets: [start, end] }: Entry) => {
    const from = 8 + headerLength;
    if (from + end > file.length) throw new Error("the file is shorter than its header says");
    // A copy is aligned, so that typed arrays of any element size can view it.
    return new Uint8Array(file.subarray(from + start, from + end)).buffer;
  };
  const table = header.embeddings;
  const [rows, dimensions] = table?.shape ?? [];
  if (table === undefined || rows === undefined || dimensions === undefined || table.shape.length !== 2)
    throw new Error("the file has no table of embeddings");
  const values = table.dtype === "I8" ? new Int8Array(bytesOf(table)) : numbers(table, bytesOf(table));
  if (values.length !== rows * dimensions)
    throw new Error("the table of embeddings has not its declared size");
  const { mapping, weights } = header;
  return {
    dimensions,
    values,
    scales: undefined,
    rowOf: mapping === undefined ? undefined : Int32Array.from(numbers(mapping, bytesOf(mapping))),
    weights: weights === undefined ? undefined : numbers(weights, bytesOf(weights)),
  };
}

function numbers({ dtype }: Entry, bytes: ArrayBuffer): Float32Array {
  switch (dtype) {
    case "F32":
      return new Float32Array(bytes);
    case "F64":
      return Float32Array.from(new Float64Array(bytes));
    case "F16":
      return Float32Array.from(new Uint16Array(bytes), singleOf);
    case "I64":
      return Float32Array.from(new BigInt64Array(bytes), Number);
    case "I32":
      return Float32Array.from(new Int32Array(bytes));
    default:
      throw new Error(`its numbers are ${dtype}, which is not read here`);
  }
}

/** The value of a half-precision number. */
function singleOf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1_024) * 2 ** (exponent - 15);
}

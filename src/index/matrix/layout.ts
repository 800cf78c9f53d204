import { outBytes, type ScannedRows } from "./kernel.ts";
import { planeBytesOf, queryParts } from "./planes.ts";
import { headerBytes } from "./row-header.ts";

/** Rows per block; a block is scanned by one call of the kernel. */
export const blockRows = 2_048;
export const mostClasses = 2 ** 20;
const lanes = 2;

/** The positions where a thread writes the query of a scan and finds its results. */
interface Lane {
  /** The query's parts (see planes.ts). */
  readonly query: number;
  /** One byte per class. */
  readonly allowed: number;
  readonly out: number;
}

/**
 * The layout of a matrix in the kernel's memory:
 *
 *   lane 0 | lane 1 | block 0 | block 1 | …
 *
 * Each scanning thread has a lane of its own. A block consists of the headers of its rows, then their coarse planes,
 * then their fine planes (see planes.ts). So only the header is read of a row outside the scope, and of most rows that
 * are far from the query only half the vector.
 */
export class Layout {
  readonly planeBytes: number;
  readonly #laneBytes: number;
  readonly #queryBytes: number;
  readonly #blockBytes: number;

  /** `stride`: values per row, a multiple of `packedDimensions`. */
  constructor(stride: number) {
    this.planeBytes = planeBytesOf(stride);
    this.#queryBytes = queryParts * Int16Array.BYTES_PER_ELEMENT * stride;
    this.#laneBytes = this.#queryBytes + mostClasses + blockRows * outBytes;
    this.#blockBytes = blockRows * (headerBytes + stride);
  }

  /** The memory that a matrix of `rows` rows needs. */
  bytesFor(rows: number): number {
    return this.#blockAt(Math.ceil(rows / blockRows) * blockRows);
  }

  lane(number: number): Lane {
    const query = number * this.#laneBytes;
    const allowed = query + this.#queryBytes;
    return { query, allowed, out: allowed + mostClasses };
  }

  /** The block that begins with `row`, in a matrix of `rows` rows. */
  block(row: number, rows: number): ScannedRows {
    return {
      headers: this.headerAt(row),
      count: Math.min(blockRows, rows - row),
      coarse: this.coarseAt(row),
      fine: this.fineAt(row),
      planeBytes: this.planeBytes,
    };
  }

  headerAt(row: number): number {
    return this.#blockAt(row) + (row % blockRows) * headerBytes;
  }

  coarseAt(row: number): number {
    return this.#blockAt(row) + blockRows * headerBytes + (row % blockRows) * this.planeBytes;
  }

  fineAt(row: number): number {
    return this.coarseAt(row) + blockRows * this.planeBytes;
  }

  #blockAt(row: number): number {
    return lanes * this.#laneBytes + Math.floor(row / blockRows) * this.#blockBytes;
  }
}

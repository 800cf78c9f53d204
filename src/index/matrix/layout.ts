import { outBytes, type ScannedRows } from "./kernel.ts";
import { planeBytesOf, queryParts } from "./planes.ts";
import { headerBytes } from "./row-header.ts";

/** Rows that lie together, and are scanned at once. */
export const blockRows = 2_048;
export const mostClasses = 2 ** 20;
const lanes = 2;

/** Where one thread puts what a scan asks, and finds what it found. */
export interface Lane {
  /** Its parts (see planes.ts). */
  readonly query: number;
  /** One byte a class. */
  readonly allowed: number;
  readonly out: number;
}

/**
 * Where the rows of a matrix lie in the kernel's bytes:
 *
 *   lane 0 | lane 1 | block 0 | block 1 | …
 *
 * Each thread that scans has a lane of its own. A block is the headers of its rows, then the coarse and then the fine
 * plane of their vectors (see planes.ts), so that rows outside a scope cost no more than their header, and where most
 * rows are far from the query, those that are half their vector.
 */
export class Layout {
  readonly planeBytes: number;
  readonly #laneBytes: number;
  readonly #queryBytes: number;
  readonly #blockBytes: number;

  /** Of rows with so many values, a multiple of `packedDimensions`. */
  constructor(stride: number) {
    this.planeBytes = planeBytesOf(stride);
    this.#queryBytes = queryParts * Int16Array.BYTES_PER_ELEMENT * stride;
    this.#laneBytes = this.#queryBytes + mostClasses + blockRows * outBytes;
    this.#blockBytes = blockRows * (headerBytes + stride);
  }

  /** All that so many rows need. */
  bytesFor(rows: number): number {
    return this.#blockAt(Math.ceil(rows / blockRows) * blockRows);
  }

  lane(number: number): Lane {
    const query = number * this.#laneBytes;
    const allowed = query + this.#queryBytes;
    return { query, allowed, out: allowed + mostClasses };
  }

  /** What is left of a block from its first row on, of a matrix of so many rows. */
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

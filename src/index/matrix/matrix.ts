import { setImmediate as nextTurn } from "node:timers/promises";
import type { SearchScope } from "../scope.ts";
import { type ScopeClass, ScopeClasses } from "../scope-classes.ts";
import { headerBytes, type Kernel, openKernel, outBytes } from "./kernel.ts";
import { Nearest } from "./nearest.ts";
import { dotBoundsOf, planeBytesOf, splitIntoPlanes } from "./planes.ts";
import { quantise, strideOf } from "./quantise.ts";

/** What the matrix keeps of a row beside its vector. */
export interface RowFields extends ScopeClass {
  readonly documentId: number;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly hiddenAfter: number | null;
}

/**
 * Vectors of one model in memory, 8 bits a dimension, with what scopes ask of their documents. In the kernel's bytes:
 *
 *   query (16-bit) | allowed classes | what a scan found | block 0 | block 1 | …
 *
 * A block is the headers of 2,048 rows, then the coarse and then the fine plane of their vectors (see planes.ts), so
 * that rows outside a scope cost no more than their header, and rows that are far from the query half their vector. Rows have no order: a removed one is replaced by the last. A scan gives the event loop its turn now and
 * then; nothing may be added or removed until it has ended.
 */
export class VectorMatrix {
  readonly dimensions: number;
  readonly stride: number;
  readonly classes = new ScopeClasses();
  readonly #kernel: Kernel;
  readonly #areas: Areas;
  readonly #planeBytes: number;
  /** Where a vector's code is made before it is split. */
  readonly #code: Int8Array;
  #count = 0;
  #largestDocument = 0;

  constructor(dimensions: number, kernel: Kernel = openKernel()) {
    this.dimensions = dimensions;
    this.stride = strideOf(dimensions);
    this.#kernel = kernel;
    this.#areas = areasFor(this.stride);
    this.#planeBytes = planeBytesOf(this.stride);
    this.#code = new Int8Array(this.stride);
  }

  get count(): number {
    return this.#count;
  }

  /** Errors: RangeError when there is no memory for it. */
  add(fields: RowFields, vector: Float32Array): void {
    const row = this.#count;
    this.#reserve(row + 1);
    const header = this.#header(row);
    header.setFloat32(0, quantise(vector, this.#code), true);
    splitIntoPlanes(this.#code, this.#planeRow(this.#coarseAt(row)), this.#planeRow(this.#fineAt(row)));
    header.setUint32(4, this.#classOf(fields), true);
    header.setFloat64(8, fields.documentId, true);
    header.setFloat64(16, fields.createdAt, true);
    header.setFloat64(24, fields.hiddenAfter ?? Infinity, true);
    this.#count += 1;
    this.#largestDocument = Math.max(this.#largestDocument, fields.documentId);
  }

  /** Removes every row of these documents; returns how many. */
  remove(documentIds: Iterable<number>): number {
    const before = this.#count;
    const removed = new Set<number>();
    for (const id of documentIds) if (id <= this.#largestDocument) removed.add(id);
    if (removed.size === 0) return 0;
    for (let block = Math.ceil(before / blockRows) - 1; block >= 0; block -= 1) {
      const first = block * blockRows;
      const rows = Math.min(blockRows, before - first);
      const headers = new Float64Array(this.#kernel.bytes, this.#headerAt(first), (rows * headerBytes) / 8);
      for (let row = rows - 1; row >= 0; row -= 1) {
        if (removed.has(headers[4 * row + 1] ?? 0)) this.#removeRow(first + row);
      }
    }
    return before - this.#count;
  }

  /**
   * The documents inside the scope whose best row comes nearest to the query, best first, of equals the newer.
   * What is surely less alike than `floor` is left out.
   */
  async nearest(vector: Float32Array, scope: SearchScope, wanted: number, floor: number): Promise<number[]> {
    if (vector.length !== this.dimensions || wanted < 1) return [];
    const asked = new Int16Array(this.stride);
    const queryScale = quantise(vector, asked);
    if (Number.isNaN(queryScale) || this.#count === 0) return [];
    const allowed = this.classes.allowed(scope);
    const nearest = new Nearest(wanted, Math.fround((floor - coarseness) / queryScale));
    const { now, since = -Infinity, until = Infinity } = scope;
    const { query, allowed: allowedAt, out } = this.#areas;
    const bounds = dotBoundsOf(asked);
    let bytesLeft = 0;
    for (let row = 0; row < this.#count; row += blockRows) {
      bytesLeft -= blockRows * (this.#planeBytes + headerBytes);
      if (bytesLeft <= 0) {
        if (row > 0) await nextTurn();
        bytesLeft = turnBytes;
        // Another scan may have had its turn: what this one asks is put down again.
        new Int16Array(this.#kernel.bytes, query, this.stride).set(asked);
        new Uint8Array(this.#kernel.bytes, allowedAt, allowed.length).set(allowed);
      }
      const { floor } = nearest;
      const test = { query, bounds, allowed: allowedAt, out, now, since, until, floor };
      const count = this.#kernel.scan(this.#rowsFrom(row), test);
      const found = new Float64Array(this.#kernel.bytes, out, 2 * count);
      for (let at = 0; at < found.length; at += 2) nearest.add(found[at] ?? 0, found[at + 1] ?? 0);
    }
    return nearest.documents();
  }

  /** All bytes of the rows, piece by piece, to be kept elsewhere. The next change makes the pieces void. */
  pieces(): Uint8Array[] {
    const starts = Array.from({ length: Math.ceil(this.#count / blockRows) }, (_, at) => at * blockRows);
    return starts.flatMap((row) => {
      const { headers, count, coarse, fine } = this.#rowsFrom(row);
      const { bytes } = this.#kernel;
      return [
        new Uint8Array(bytes, headers, count * headerBytes),
        new Uint8Array(bytes, coarse, count * this.#planeBytes),
        new Uint8Array(bytes, fine, count * this.#planeBytes),
      ];
    });
  }

  /** The pieces of so many rows, to be filled from elsewhere; then `settle` is to be called. */
  unfilled(rows: number): Uint8Array[] {
    this.#reserve(rows);
    this.#count = rows;
    return this.pieces();
  }

  /** Takes over what was filled in; false when it cannot be true. */
  settle(): boolean {
    for (let row = 0; row < this.#count; row += 1) {
      const header = this.#header(row);
      const documentId = header.getFloat64(8, true);
      if (!Number.isSafeInteger(documentId) || header.getUint32(4, true) >= this.classes.all.length)
        return false;
      this.#largestDocument = Math.max(this.#largestDocument, documentId);
    }
    return true;
  }

  #classOf(fields: ScopeClass): number {
    const number = this.classes.numberOf(fields);
    if (number >= mostClasses) throw new RangeError("too many combinations of kind, project and agent");
    return number;
  }

  #reserve(rows: number): void {
    const blocks = Math.ceil(rows / blockRows);
    const end = this.#areas.blocks + blocks * this.#areas.blockBytes;
    if (end > this.#kernel.bytes.byteLength) this.#kernel.grow(end);
  }

  #removeRow(row: number): void {
    const last = this.#count - 1;
    const all = new Uint8Array(this.#kernel.bytes);
    const move = (to: number, from: number, length: number) => all.copyWithin(to, from, from + length);
    move(this.#headerAt(row), this.#headerAt(last), headerBytes);
    move(this.#coarseAt(row), this.#coarseAt(last), this.#planeBytes);
    move(this.#fineAt(row), this.#fineAt(last), this.#planeBytes);
    this.#count = last;
  }

  #rowsFrom(row: number) {
    const count = Math.min(blockRows, this.#count - row);
    return {
      headers: this.#headerAt(row),
      count,
      coarse: this.#coarseAt(row),
      fine: this.#fineAt(row),
      planeBytes: this.#planeBytes,
    };
  }

  #header(row: number): DataView {
    return new DataView(this.#kernel.bytes, this.#headerAt(row), headerBytes);
  }

  #headerAt(row: number): number {
    return this.#blockAt(row) + (row % blockRows) * headerBytes;
  }

  #coarseAt(row: number): number {
    return this.#blockAt(row) + blockRows * headerBytes + (row % blockRows) * this.#planeBytes;
  }

  #fineAt(row: number): number {
    return this.#coarseAt(row) + blockRows * this.#planeBytes;
  }

  #planeRow(at: number): Uint16Array {
    return new Uint16Array(this.#kernel.bytes, at, this.#planeBytes / 2);
  }

  #blockAt(row: number): number {
    return this.#areas.blocks + Math.floor(row / blockRows) * this.#areas.blockBytes;
  }
}

const blockRows = 2_048;
const mostClasses = 2 ** 20;
/** How far the coarse score may lie from the cosine; measured: below 0.01, with 4 dimensions as with 1,536. */
const coarseness = 0.02;
/** As much as is read between two turns of the event loop: some milliseconds. */
const turnBytes = 24 * 2 ** 20;

/** Where things begin in the kernel's bytes. */
interface Areas {
  readonly query: number;
  readonly allowed: number;
  readonly out: number;
  readonly blocks: number;
  readonly blockBytes: number;
}

function areasFor(stride: number): Areas {
  const allowed = 2 * stride;
  const out = allowed + mostClasses;
  const blocks = out + blockRows * outBytes;
  return { query: 0, allowed, out, blocks, blockBytes: blockRows * (headerBytes + stride) };
}

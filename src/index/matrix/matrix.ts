import { setImmediate as nextTurn } from "node:timers/promises";
import type { Scoped } from "../scope.ts";
import { type ScopeClass, ScopeClasses } from "../scope-classes.ts";
import type { VectorQuestion } from "../search-streams.ts";
import { type Axis, decompose } from "./axis.ts";
import { type Kernel, openKernel } from "./kernel.ts";
import { blockRows, Layout, mostClasses } from "./layout.ts";
import { Nearest } from "./nearest.ts";
import { dotBoundsOf, splitIntoPlanes, withMixtures } from "./planes.ts";
import { quantise, strideOf } from "./quantise.ts";
import { Rotation } from "./rotation.ts";
import { headerBytes, rowHeader } from "./row-header.ts";
import { type Scan, scanForATurn } from "./scan.ts";
import type { ScanHelp } from "./scan-help.ts";

/** The fields that the matrix keeps with a vector. */
export interface RowFields extends Scoped {
  readonly documentId: number;
}

/**
 * The vectors of one model in memory, quantised to 8 bits per dimension, with the fields of their documents that scopes
 * test. Rows have no order: the last row takes the place of a removed one. A scan yields to the event loop now and
 * then, and another thread may take part in it; no row may be added or removed until it has ended.
 */
export class VectorMatrix {
  readonly dimensions: number;
  readonly stride: number;
  readonly axis: Axis;
  readonly classes = new ScopeClasses();
  readonly #kernel: Kernel;
  readonly #layout: Layout;
  readonly #rotation: Rotation;
  /** Working memory for a vector's component beside the axis, and for its code before that is split into planes. */
  readonly #rest: Float32Array;
  readonly #code: Int8Array;
  #count = 0;
  #largestDocument = 0;

  constructor(axis: Axis, kernel: Kernel = openKernel()) {
    const dimensions = axis.length;
    this.axis = axis;
    this.dimensions = dimensions;
    this.stride = strideOf(dimensions);
    this.#kernel = kernel;
    this.#layout = new Layout(this.stride);
    this.#rotation = new Rotation(this.stride);
    this.#rest = new Float32Array(this.stride);
    this.#code = new Int8Array(this.stride);
    this.#reserve(0);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a row. Errors: RangeError if memory is exhausted, or there are too many scope classes. */
  add(fields: RowFields, vector: Float32Array): void {
    const row = this.#count;
    this.#reserve(row + 1);
    const header = this.#header(row);
    const { along, step } = this.#encode(vector, this.#code);
    header.setFloat32(rowHeader.scale, step, true);
    splitIntoPlanes(
      this.#code,
      this.#planeRow(this.#layout.coarseAt(row)),
      this.#planeRow(this.#layout.fineAt(row)),
    );
    header.setUint32(rowHeader.class, this.#classOf(fields), true);
    header.setFloat64(rowHeader.document, fields.documentId, true);
    header.setFloat64(rowHeader.createdAt, fields.createdAt, true);
    header.setFloat64(rowHeader.hiddenAfter, fields.hiddenAfter ?? Infinity, true);
    header.setFloat32(rowHeader.along, along, true);
    this.#count += 1;
    this.#largestDocument = Math.max(this.#largestDocument, fields.documentId);
  }

  /** Removes all rows of these documents; returns how many rows. */
  remove(documentIds: Iterable<number>): number {
    const before = this.#count;
    const removed = new Set<number>();
    for (const id of documentIds) if (id <= this.#largestDocument) removed.add(id);
    if (removed.size === 0) return 0;
    for (let block = Math.ceil(before / blockRows) - 1; block >= 0; block -= 1) {
      const first = block * blockRows;
      const rows = Math.min(blockRows, before - first);
      const headers = new Float64Array(
        this.#kernel.bytes,
        this.#layout.headerAt(first),
        (rows * headerBytes) / 8,
      );
      for (let row = rows - 1; row >= 0; row -= 1) {
        if (removed.has(headers[(headerBytes * row + rowHeader.document) / 8] ?? 0))
          this.#removeRow(first + row);
      }
    }
    return before - this.#count;
  }

  /**
   * Ids of the documents in the scope whose best row is nearest to the vector: the best first, of equal ones the newer.
   * Documents whose cosine is certainly below `minSimilarity` are left out. With `help`, another thread takes part in
   * the scan.
   */
  async nearest(
    { vector, scope, limit, minSimilarity }: Omit<VectorQuestion, "fingerprint">,
    help?: Pick<ScanHelp, "ask">,
  ): Promise<number[]> {
    if (vector.length !== this.dimensions || limit < 1) return [];
    const query = new Int16Array(this.stride);
    const { along, step: ownStep } = this.#encode(vector, query);
    if (Number.isNaN(along) || this.#count === 0) return [];
    // A query that is nearly parallel to the axis has a step near 0; any step that keeps scores finite will do.
    const step = Math.max(ownStep, leastStep);
    const { now, since = -Infinity, until = Infinity } = scope;
    const least = Math.fround((minSimilarity - coarseness) / step);
    const scan: Scan = {
      rows: this.#count,
      asked: withMixtures(query),
      bounds: dotBoundsOf(query),
      tilt: Math.fround(along / step),
      allowed: this.classes.allowed(scope),
      times: { now, since, until },
      wanted: limit,
      next: new Int32Array(new SharedArrayBuffer(4)),
      highestFloor: new Float64Array(new SharedArrayBuffer(8)).fill(least),
    };
    return this.#carryOut(scan, help);
  }

  async #carryOut(scan: Scan, help: Pick<ScanHelp, "ask"> | undefined): Promise<number[]> {
    const nearest = new Nearest(scan.wanted, scan.highestFloor[0] ?? 0);
    const { memory } = this.#kernel;
    const isWorthHelp = memory !== undefined && scan.rows * this.stride >= leastHelpedBytes;
    const helped = isWorthHelp ? help?.ask(memory, scan) : undefined;
    let rowsLeft = scan.rows;
    for (;;) {
      rowsLeft -= scanForATurn(this.#kernel, ownLane, scan, nearest);
      if (Atomics.load(scan.next, 0) >= scan.rows) break;
      await nextTurn();
    }
    for (const pairs of (await helped?.found(rowsLeft)) ?? []) nearest.addAll(pairs);
    return nearest.documents();
  }

  /** All bytes of the rows, as a list of views, to be saved. The next change to the matrix invalidates them. */
  pieces(): Uint8Array[] {
    const starts = Array.from({ length: Math.ceil(this.#count / blockRows) }, (_, at) => at * blockRows);
    return starts.flatMap((row) => {
      const { headers, count, coarse, fine, planeBytes } = this.#layout.block(row, this.#count);
      const { bytes } = this.#kernel;
      return [
        new Uint8Array(bytes, headers, count * headerBytes),
        new Uint8Array(bytes, coarse, count * planeBytes),
        new Uint8Array(bytes, fine, count * planeBytes),
      ];
    });
  }

  /** Views of `rows` rows to be filled with saved bytes; `settle` has to be called afterwards. */
  unfilled(rows: number): Uint8Array[] {
    this.#reserve(rows);
    this.#count = rows;
    return this.pieces();
  }

  /** Accepts the rows that were filled in; returns false if they are invalid. */
  settle(): boolean {
    for (let row = 0; row < this.#count; row += 1) {
      const header = this.#header(row);
      const documentId = header.getFloat64(rowHeader.document, true);
      if (
        !Number.isSafeInteger(documentId) ||
        header.getUint32(rowHeader.class, true) >= this.classes.all.length
      )
        return false;
      this.#largestDocument = Math.max(this.#largestDocument, documentId);
    }
    return true;
  }

  #encode(vector: Float32Array, code: Int8Array | Int16Array): { along: number; step: number } {
    const along = decompose(vector, this.axis, this.#rest);
    this.#rotation.turn(this.#rest);
    return { along, step: quantise(this.#rest, code) };
  }

  #classOf(fields: ScopeClass): number {
    const number = this.classes.numberOf(fields);
    if (number >= mostClasses) throw new RangeError("too many combinations of kind, project and agent");
    return number;
  }

  #reserve(rows: number): void {
    this.#kernel.grow(this.#layout.bytesFor(rows));
  }

  #removeRow(row: number): void {
    const last = this.#count - 1;
    const all = new Uint8Array(this.#kernel.bytes);
    const move = (to: number, from: number, length: number) => all.copyWithin(to, from, from + length);
    move(this.#layout.headerAt(row), this.#layout.headerAt(last), headerBytes);
    move(this.#layout.coarseAt(row), this.#layout.coarseAt(last), this.#layout.planeBytes);
    move(this.#layout.fineAt(row), this.#layout.fineAt(last), this.#layout.planeBytes);
    this.#count = last;
  }

  #header(row: number): DataView {
    return new DataView(this.#kernel.bytes, this.#layout.headerAt(row), headerBytes);
  }

  #planeRow(at: number): Uint16Array {
    return new Uint16Array(this.#kernel.bytes, at, this.#layout.planeBytes / 2);
  }
}

/** An upper bound of the quantisation error of a cosine; measured: below 0.01, with 4 dimensions as with 1,536. */
const coarseness = 0.02;
/** The smallest step: components beside the axis that are smaller do not affect a cosine. */
const leastStep = 2 ** -100;
const ownLane = 0;
/** A smaller matrix is scanned before another thread could begin. */
const leastHelpedBytes = 4 * 2 ** 20;

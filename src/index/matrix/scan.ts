import type { SearchScope } from "../scope.ts";
import type { Kernel } from "./kernel.ts";
import { blockRows, Layout } from "./layout.ts";
import type { Nearest } from "./nearest.ts";
import { type DotBounds, queryParts } from "./planes.ts";
import { headerBytes } from "./row-header.ts";

/** One question to a matrix, as every thread that takes part in the answer knows it. */
export interface Scan {
  readonly rows: number;
  /** The query's parts, 16 bits each. */
  readonly asked: Int16Array;
  readonly bounds: DotBounds;
  /** What a row's score gains by what it has along the axis. */
  readonly tilt: number;
  /** One byte a class, 1 or 0. */
  readonly allowed: Uint8Array;
  readonly times: Required<Pick<SearchScope, "now" | "since" | "until">>;
  readonly wanted: number;
  /** The first row that nobody has taken yet; all threads look at the same. */
  readonly next: Int32Array;
  /** What a row must reach, as far as that is known by now. Threads may overwrite each other's, of which any will do. */
  readonly highestFloor: Float64Array;
}

/** As much as is read between two turns of the event loop: some milliseconds. */
const turnBytes = 24 * 2 ** 20;

/**
 * Scans blocks that nobody else has taken, for one turn of the event loop. Returns how many rows it were, 0 when none
 * are left. No row may be added or removed until all that were taken have been scanned.
 */
export function scanForATurn(kernel: Kernel, laneNumber: number, scan: Scan, nearest: Nearest): number {
  const { rows, asked, bounds, tilt, allowed, times, next, highestFloor } = scan;
  const layout = new Layout(asked.length / queryParts);
  const lane = layout.lane(laneNumber);
  let scanned = 0;
  for (let bytesLeft = turnBytes; bytesLeft > 0; ) {
    const row = Atomics.add(next, 0, blockRows);
    if (row >= rows) break;
    // Another scan may have had its turn: what this one asks is put down again.
    if (scanned === 0) {
      new Int16Array(kernel.bytes, lane.query, asked.length).set(asked);
      new Uint8Array(kernel.bytes, lane.allowed, allowed.length).set(allowed);
    }
    const block = layout.block(row, rows);
    nearest.floor = Math.max(nearest.floor, highestFloor[0] ?? 0);
    const found = kernel.scan(block, { ...lane, ...times, bounds, tilt, floor: nearest.floor });
    nearest.addAll(new Float64Array(kernel.bytes, lane.out, 2 * found));
    highestFloor[0] = nearest.floor;
    scanned += block.count;
    bytesLeft -= block.count * (layout.planeBytes + headerBytes);
  }
  return scanned;
}
